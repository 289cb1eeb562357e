package dev.caliber.memory.command;

import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.MemoryException;
import java.util.List;

/**
 * Makes artifacts, all or none. Content that a trajectory has among its live artifacts is not
 * stored again: that artifact is answered, and it keeps the new provenance.
 */
public record CreateArtifacts(List<CreateArtifact> artifacts) implements Command<List<Artifact>> {
  public CreateArtifacts {
    artifacts = List.copyOf(artifacts);
    if (artifacts.isEmpty()) {
      throw MemoryException.empty("artifacts");
    }
  }

  public static CreateArtifacts of(CreateArtifact... artifacts) {
    return new CreateArtifacts(List.of(artifacts));
  }
}
