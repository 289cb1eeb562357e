package dev.caliber.memory.command;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.MemoryException;
import java.util.List;

/**
 * Command that creates artifacts, all or none. Content that exists among the live artifacts of the
 * trajectory is not stored again: the existing artifact is returned, with the new provenance
 * merged.
 */
public record CreateArtifacts(List<NewArtifact> artifacts) implements Command<List<Artifact>> {
  public CreateArtifacts {
    artifacts = List.copyOf(artifacts);
    if (artifacts.isEmpty()) {
      throw MemoryException.empty("artifacts");
    }
  }

  public static CreateArtifacts of(NewArtifact... artifacts) {
    return new CreateArtifacts(List.of(artifacts));
  }
}
