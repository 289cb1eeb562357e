package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;

/**
 * Command that supersedes a live artifact by a new one of the same trajectory; the old one is kept.
 */
public record SupersedeArtifact(Id old, NewArtifact successor) implements Command<Artifact> {}
