package dev.caliber.memory.pcp;

import dev.caliber.kernel.Id;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Provenance;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where an artifact comes from and what became of it.
 *
 * @param predecessors whose place it took, directly or not, nearest first
 * @param successors what took its place, directly or not, nearest first
 */
public record Lineage(
    Artifact artifact,
    Id scope,
    Id trajectory,
    Provenance provenance,
    Optional<Id> supersededBy,
    List<Id> predecessors,
    List<Id> successors) {
  public Lineage {
    predecessors = List.copyOf(predecessors);
    successors = List.copyOf(successors);
  }

  static Lineage of(MemoryView view, Id id) {
    Artifact artifact = view.artifact(id);
    return new Lineage(
        artifact,
        artifact.scope(),
        artifact.trajectory(),
        artifact.provenance(),
        artifact.supersededBy(),
        before(view, id),
        after(view, artifact));
  }

  private static List<Id> before(MemoryView view, Id id) {
    Set<Id> seen = new LinkedHashSet<>(List.of(id));
    List<Id> line = new ArrayList<>();
    List<Id> next = List.of(id);
    while (!next.isEmpty()) {
      next =
          next.stream()
              .flatMap(one -> view.superseded(one).stream())
              .map(Artifact::id)
              .filter(seen::add)
              .toList();
      line.addAll(next);
    }
    return line;
  }

  private static List<Id> after(MemoryView view, Artifact artifact) {
    Set<Id> line = new LinkedHashSet<>();
    Optional<Id> next = artifact.supersededBy();
    while (next.isPresent() && !next.get().equals(artifact.id()) && line.add(next.get())) {
      next = view.find(Artifact.TABLE, next.get()).flatMap(Artifact::supersededBy);
    }
    return List.copyOf(line);
  }
}
