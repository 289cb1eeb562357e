package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The newest records of a time that pass a filter, found along the index that fits it best. */
record Candidates(
    MemoryView view,
    RecordSubjects subjects,
    RecallFilter filter,
    SubjectScope visible,
    Instant at,
    int limit) {
  /** Behind a key with this comes the next one. */
  private static final String KEY_END = "\u0001";

  /** The newest records of now, whichever subject they belong to. */
  static Candidates ofEverySubject(MemoryView view, RecallFilter filter, int limit) {
    return new Candidates(
        view,
        new RecordSubjects(view.snapshot()),
        filter,
        SubjectScope.every(),
        Instant.MAX,
        limit);
  }

  /** The walks along which the notes are found, newest first, for work that keeps none. */
  List<Query<Note>> noteWalks() {
    if (!filter.wants(EntityType.NOTE)) {
      return List.of();
    }
    return filter.trajectories().isEmpty()
        ? passing(List.of(walk()), this::passes, Note::createdAt)
        : learned().keySet().stream()
            .map(id -> Query.over(Note.TABLE).from(id.toString()).until(id + KEY_END))
            .toList();
  }

  /** The walks along which the turns are found. */
  List<Query<Turn>> turnWalks() {
    return filter.wants(EntityType.TURN)
        ? passing(ofTurns(), this::passes, Turn::createdAt)
        : List.of();
  }

  /** The walks along which the artifacts are found. */
  List<Query<Artifact>> artifactWalks() {
    return filter.wants(EntityType.ARTIFACT)
        ? passing(ofArtifacts(), this::passes, Artifact::createdAt)
        : List.of();
  }

  List<Note> notes() {
    if (!filter.wants(EntityType.NOTE)) {
      return List.of();
    }
    return filter.trajectories().isEmpty()
        ? newest(walk(), limit, this::passes, Note::createdAt)
        : learned().values().stream().limit(limit).toList();
  }

  /** One that was learned in several of the trajectories counts once. */
  private Map<Id, Note> learned() {
    Map<Id, Note> found = new LinkedHashMap<>();
    for (Id trajectory : newestFirst()) {
      if (found.size() < limit) {
        new Learned(view, trajectory)
            .newest(note -> passes(note.createdAt()) && passes(note), limit)
            .forEach(note -> found.put(note.id(), note));
      }
    }
    return found;
  }

  private List<Id> newestFirst() {
    return filter.trajectories().stream().sorted(Comparator.reverseOrder()).toList();
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
    return filter.wants(EntityType.TURN)
        ? newest(ofTurns(), this::passes, Turn::createdAt)
        : List.of();
  }

  private List<Query<Turn>> ofTurns() {
    return within(id -> Query.over(Turn.TABLE, "trajectory", "position").equal(id))
        .orElseGet(() -> List.of(ofSubject(Turn.TABLE)));
  }

  private boolean passes(Turn turn) {
    return filter.passes(turn) && subjects.sees(visible, turn);
  }

  List<Artifact> artifacts() {
    return filter.wants(EntityType.ARTIFACT)
        ? newest(ofArtifacts(), this::passes, Artifact::createdAt)
        : List.of();
  }

  private List<Query<Artifact>> ofArtifacts() {
    return filter
        .externalId()
        .map(name -> Query.over(Artifact.TABLE, "external_id", "created_at").equal(name))
        .map(List::of)
        .or(() -> within(id -> Query.over(Artifact.TABLE, "trajectory", "created_at").equal(id)))
        .orElseGet(() -> List.of(ofSubject(Artifact.TABLE)));
  }

  private boolean passes(Artifact made) {
    return filter.passes(made) && subjects.sees(visible, made);
  }

  /** One walk for each trajectory, the newest first; nothing where none is asked for. */
  private <T> Optional<List<Query<T>>> within(Function<Id, Query<T>> walk) {
    return Optional.of(newestFirst().stream().map(walk).toList()).filter(all -> !all.isEmpty());
  }

  private <T> Query<T> ofSubject(Table<T> table) {
    return filter
        .subject()
        .map(subject -> Query.over(table, "subject", "created_at").equal(subject))
        .orElseGet(() -> Query.over(table));
  }

  private <T> List<T> newest(
      List<Query<T>> walks, Predicate<T> passes, Function<T, Instant> createdAt) {
    List<T> found = new ArrayList<>();
    for (Query<T> walk : walks) {
      if (found.size() < limit) {
        found.addAll(newest(walk, limit - found.size(), passes, createdAt));
      }
    }
    return List.copyOf(found);
  }

  private <T> List<T> newest(
      Query<T> query, int most, Predicate<T> passes, Function<T, Instant> createdAt) {
    return view.upTo(passing(query, passes, createdAt), most);
  }

  private <T> List<Query<T>> passing(
      List<Query<T>> walks, Predicate<T> passes, Function<T, Instant> createdAt) {
    return walks.stream().map(walk -> passing(walk, passes, createdAt)).toList();
  }

  private <T> Query<T> passing(Query<T> walk, Predicate<T> passes, Function<T, Instant> createdAt) {
    return walk.descending().where(found -> passes(createdAt.apply(found)) && passes.test(found));
  }

  private boolean passes(Note note) {
    return filter.passes(note) && subjects.sees(visible, note);
  }

  private boolean passes(Instant createdAt) {
    return !createdAt.isAfter(at);
  }
}
