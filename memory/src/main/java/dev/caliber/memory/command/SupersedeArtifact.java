package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;

/** Puts a new artifact in the place of a live one of the same trajectory; the old one stays. */
public record SupersedeArtifact(Id old, CreateArtifact successor) implements Command<Artifact> {}
