package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.view.MemoryView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Provenance of an artifact with its predecessors and successors.
 *
 * @param predecessors artifacts that it supersedes, directly or not, nearest first
 * @param successors artifacts that supersede it, directly or not, nearest first
 */
public record ArtifactLineage(
    Artifact artifact,
    Id scope,
    Id trajectory,
    Provenance provenance,
    Optional<Id> supersededBy,
    List<Id> predecessors,
    List<Id> successors) {
  public ArtifactLineage {
    predecessors = List.copyOf(predecessors);
    successors = List.copyOf(successors);
  }

  static ArtifactLineage of(MemoryView view, Id id) {
    Artifact artifact = view.artifact(id);
    return new ArtifactLineage(
        artifact,
        artifact.scope(),
        artifact.trajectory(),
        artifact.provenance(),
        artifact.supersededBy(),
        predecessorIds(view, id),
        successorIds(view, artifact));
  }

  private static List<Id> predecessorIds(MemoryView view, Id id) {
    Set<Id> seen = new LinkedHashSet<>(List.of(id));
    List<Id> line = new ArrayList<>();
    List<Id> next = List.of(id);
    while (!next.isEmpty()) {
      next =
          next.stream()
              .flatMap(one -> view.artifactsSupersededBy(one).stream())
              .map(Artifact::id)
              .filter(seen::add)
              .toList();
      line.addAll(next);
    }
    return line;
  }

  private static List<Id> successorIds(MemoryView view, Artifact artifact) {
    Set<Id> line = new LinkedHashSet<>();
    Optional<Id> next = artifact.supersededBy();
    while (next.isPresent() && !next.get().equals(artifact.id()) && line.add(next.get())) {
      next = view.find(Artifact.TABLE, next.get()).flatMap(Artifact::supersededBy);
    }
    return List.copyOf(line);
  }
}
