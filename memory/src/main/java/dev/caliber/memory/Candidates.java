package dev.caliber.memory;

import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The newest records of a time that pass a filter, found along the index that fits it best. */
record Candidates(MemoryView view, RecallFilter filter, Instant at, int limit) {

  /** What they are, whatever they say. */
  List<EntityRef> records() {
    return Stream.of(
            notes().stream().map(note -> EntityRef.of(EntityType.NOTE, note.id())),
            turns().stream().map(turn -> EntityRef.of(EntityType.TURN, turn.id())),
            artifacts().stream().map(made -> EntityRef.of(EntityType.ARTIFACT, made.id())))
        .flatMap(records -> records)
        .toList();
  }

  List<Note> notes() {
    if (!filter.wants(EntityType.NOTE)) {
      return List.of();
    }
    return filter
        .trajectory()
        .map(
            id ->
                view.learnedIn(id, note -> passes(note.createdAt()) && filter.passes(note), limit))
        .orElseGet(() -> newest(walk(), filter::passes, Note::createdAt));
  }

  private Query<Note> walk() {
    return filter
        .externalId()
        .map(name -> Query.over(Note.TABLE, "external_id", "recorded_at").equal(name))
        .or(
            () ->
                filter
                    .subject()
                    .map(
                        subject -> Query.over(Note.TABLE, "subject", "recorded_at").equal(subject)))
        .or(
            () ->
                filter
                    .entity()
                    .map(entity -> Query.over(Note.TABLE, "entity", "entity_type").equal(entity)))
        .orElseGet(() -> Query.over(Note.TABLE, "recorded_at"));
  }

  List<Turn> turns() {
    if (!filter.wants(EntityType.TURN)) {
      return List.of();
    }
    Query<Turn> fitting =
        filter
            .trajectory()
            .map(id -> Query.over(Turn.TABLE, "trajectory", "position").equal(id))
            .orElseGet(() -> ofSubject(Turn.TABLE));
    return newest(fitting, filter::passes, Turn::createdAt);
  }

  List<Artifact> artifacts() {
    if (!filter.wants(EntityType.ARTIFACT)) {
      return List.of();
    }
    Query<Artifact> fitting =
        filter
            .externalId()
            .map(name -> Query.over(Artifact.TABLE, "external_id", "created_at").equal(name))
            .or(this::madeInTrajectory)
            .orElseGet(() -> ofSubject(Artifact.TABLE));
    return newest(fitting, filter::passes, Artifact::createdAt);
  }

  private Optional<Query<Artifact>> madeInTrajectory() {
    return filter
        .trajectory()
        .map(id -> Query.over(Artifact.TABLE, "trajectory", "created_at").equal(id));
  }

  private <T> Query<T> ofSubject(Table<T> table) {
    return filter
        .subject()
        .map(subject -> Query.over(table, "subject", "created_at").equal(subject))
        .orElseGet(() -> Query.over(table));
  }

  private <T> List<T> newest(Query<T> query, Predicate<T> passes, Function<T, Instant> createdAt) {
    return view.upTo(
        query.descending().where(found -> passes(createdAt.apply(found)) && passes.test(found)),
        limit);
  }

  private boolean passes(Instant createdAt) {
    return !createdAt.isAfter(at);
  }
}
