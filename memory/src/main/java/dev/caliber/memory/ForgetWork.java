package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.MemoryEvent.RecordForgotten;
import dev.caliber.memory.MemoryEvent.RecordRemoved;
import dev.caliber.memory.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides what is forgotten. What one commit cannot hold is forgotten by the next call: the record
 * that holds the others goes last, so that asking again finds the rest.
 */
final class ForgetWork {
  private final Desk desk;
  private final int most;

  ForgetWork(Desk desk) {
    this.desk = desk;
    this.most = desk.config().limits().turns();
  }

  Forgotten forget(Forget command) {
    List<EntityRef> found =
        command.id().map(this::reach).orElseGet(() -> fitting(command.filter().orElseThrow()));
    List<EntityRef> now = found.subList(0, Math.min(most, found.size()));
    if (!command.preview()) {
      unquote(now);
      now.forEach(record -> desk.emit(new RecordForgotten(record, command.reason(), desk.now())));
    }
    return new Forgotten(now, command.preview(), now.size() == found.size());
  }

  /** Removes a trajectory and what is in it, as far as one commit may; leaves no tombstones. */
  void remove(Trajectory trajectory) {
    List<EntityRef> found = all(trajectory);
    found
        .subList(0, Math.min(most, found.size()))
        .forEach(record -> desk.emit(new RecordRemoved(record)));
  }

  private List<EntityRef> reach(Id id) {
    return Stream.<Optional<List<EntityRef>>>of(
            known(EntityType.NOTE, desk.transaction().find(Note.TABLE, id).map(Note::id)),
            known(EntityType.TURN, desk.transaction().find(Turn.TABLE, id).map(Turn::id)),
            known(
                EntityType.ARTIFACT, desk.transaction().find(Artifact.TABLE, id).map(Artifact::id)),
            desk.transaction().find(Scope.TABLE, id).map(this::all),
            desk.transaction().find(Trajectory.TABLE, id).map(this::all))
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(() -> MemoryException.unknown(EntityType.NOTE, id));
  }

  private static Optional<List<EntityRef>> known(EntityType type, Optional<Id> found) {
    return found.map(id -> List.of(EntityRef.of(type, id)));
  }

  private List<EntityRef> all(Trajectory trajectory) {
    List<EntityRef> records = new ArrayList<>();
    for (Scope scope : desk.view().scopes(trajectory.id())) {
      records.addAll(all(scope));
    }
    desk.view().checkpoints(trajectory.id()).stream()
        .map(checkpoint -> EntityRef.of(EntityType.CHECKPOINT, checkpoint.id()))
        .forEach(records::add);
    records.add(EntityRef.of(EntityType.TRAJECTORY, trajectory.id()));
    return records;
  }

  private List<EntityRef> all(Scope scope) {
    List<EntityRef> records = new ArrayList<>();
    desk.view()
        .upTo(Query.over(Turn.TABLE, "scope", "sequence").equal(scope.id()), most + 1)
        .forEach(turn -> records.add(EntityRef.of(EntityType.TURN, turn.id())));
    desk.view()
        .upTo(Query.over(Artifact.TABLE, "scope").equal(scope.id()), most + 1)
        .forEach(artifact -> records.add(EntityRef.of(EntityType.ARTIFACT, artifact.id())));
    records.add(EntityRef.of(EntityType.SCOPE, scope.id()));
    return records;
  }

  private List<EntityRef> fitting(RecallFilter filter) {
    Candidates candidates = new Candidates(desk.view(), filter, most + 1);
    List<EntityRef> found = new ArrayList<>();
    candidates.notes().forEach(note -> found.add(EntityRef.of(EntityType.NOTE, note.id())));
    candidates.turns().forEach(turn -> found.add(EntityRef.of(EntityType.TURN, turn.id())));
    candidates.artifacts().forEach(made -> found.add(EntityRef.of(EntityType.ARTIFACT, made.id())));
    return found;
  }

  /** Takes the sentences of forgotten turns out of the summaries that quote them. */
  private void unquote(List<EntityRef> records) {
    Set<Id> gone =
        records.stream()
            .filter(record -> record.type() == EntityType.TURN)
            .map(record -> Id.parse(record.id()))
            .collect(Collectors.toSet());
    List<Turn> turns =
        gone.stream().flatMap(id -> desk.transaction().find(Turn.TABLE, id).stream()).toList();
    turns.stream().map(Turn::scope).distinct().forEach(scope -> unquoteScope(scope, gone));
    turns.stream().map(Turn::trajectory).distinct().forEach(id -> unquoteTrajectory(id, gone));
  }

  private void unquoteScope(Id id, Set<Id> gone) {
    Scope scope = desk.view().scope(id);
    scope
        .summary()
        .flatMap(summary -> without(summary, gone))
        .ifPresent(rest -> desk.emit(new ScopeSummarized(scope.trajectory(), scope.id(), rest)));
  }

  private void unquoteTrajectory(Id id, Set<Id> gone) {
    desk.view()
        .trajectory(id)
        .summary()
        .flatMap(summary -> without(summary, gone))
        .ifPresent(rest -> desk.emit(new TrajectorySummarized(id, rest, desk.now())));
  }

  /** The summary without those sources, if it has any of them. */
  private static Optional<Summary> without(Summary summary, Set<Id> gone) {
    List<Summary.Sentence> rest =
        summary.sentences().stream().filter(one -> !gone.contains(one.source())).toList();
    return rest.size() == summary.sentences().size()
        ? Optional.empty()
        : Optional.of(new Summary(summary.method(), rest));
  }
}
