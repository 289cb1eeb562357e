package dev.caliber.memory.recall;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.memory.view.TrajectoryNotes;
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

/** Newest records at a time that pass a filter, read along the index that fits the filter best. */
public record FilteredRecordReader(
    MemoryView view,
    RecordVisibility subjects,
    RecallFilter filter,
    ReadableSubjects visible,
    Instant at,
    int limit) {
  /** Suffix that sorts directly after a key: the end of a range that holds only that key. */
  private static final String KEY_END = "\u0001";

  /** Reads the newest records of all subjects as of now. */
  public static FilteredRecordReader ofAllSubjects(
      MemoryView view, RecallFilter filter, int limit) {
    return new FilteredRecordReader(
        view,
        new RecordVisibility(view.snapshot()),
        filter,
        ReadableSubjects.everySubject(),
        Instant.MAX,
        limit);
  }

  /**
   * Returns queries for the notes, oldest first, for work that removes them. Removing the newest
   * turn of a scope writes the scope's counters; oldest first, that happens only once.
   */
  public List<Query<Note>> noteQueries() {
    if (!filter.includesType(EntityType.NOTE)) {
      return List.of();
    }
    return filter.trajectories().isEmpty()
        ? oldestFirst(List.of(noteIndexQuery()), this::matches, Note::createdAt)
        : trajectoryNotes().keySet().stream()
            .map(id -> Query.over(Note.TABLE).from(id.toString()).until(id + KEY_END))
            .toList();
  }

  /** Returns queries for the turns, oldest first. */
  public List<Query<Turn>> turnQueries() {
    return filter.includesType(EntityType.TURN)
        ? oldestFirst(turnIndexQueries(), this::matches, Turn::createdAt)
        : List.of();
  }

  /** Returns queries for the artifacts, oldest first. */
  public List<Query<Artifact>> artifactQueries() {
    return filter.includesType(EntityType.ARTIFACT)
        ? oldestFirst(artifactIndexQueries(), this::matches, Artifact::createdAt)
        : List.of();
  }

  List<Note> notes() {
    if (!filter.includesType(EntityType.NOTE)) {
      return List.of();
    }
    return filter.trajectories().isEmpty()
        ? newest(noteIndexQuery(), limit, this::matches, Note::createdAt)
        : trajectoryNotes().values().stream().limit(limit).toList();
  }

  /** Returns each note once, even if several of the trajectories contributed to it. */
  private Map<Id, Note> trajectoryNotes() {
    Map<Id, Note> found = new LinkedHashMap<>();
    for (Id trajectory : trajectoriesNewestFirst()) {
      if (found.size() < limit) {
        new TrajectoryNotes(view, trajectory)
            .newest(note -> isCreatedInTime(note.createdAt()) && matches(note), limit)
            .forEach(note -> found.put(note.id(), note));
      }
    }
    return found;
  }

  private List<Id> trajectoriesNewestFirst() {
    return filter.trajectories().stream().sorted(Comparator.reverseOrder()).toList();
  }

  private Query<Note> noteIndexQuery() {
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
    return filter.includesType(EntityType.TURN)
        ? newest(turnIndexQueries(), this::matches, Turn::createdAt)
        : List.of();
  }

  private List<Query<Turn>> turnIndexQueries() {
    return queriesByTrajectory(id -> Query.over(Turn.TABLE, "trajectory", "position").equal(id))
        .orElseGet(() -> List.of(subjectIndexQuery(Turn.TABLE)));
  }

  private boolean matches(Turn turn) {
    return filter.matches(turn) && subjects.isVisible(visible, turn);
  }

  List<Artifact> artifacts() {
    return filter.includesType(EntityType.ARTIFACT)
        ? newest(artifactIndexQueries(), this::matches, Artifact::createdAt)
        : List.of();
  }

  private List<Query<Artifact>> artifactIndexQueries() {
    return filter
        .externalId()
        .map(name -> Query.over(Artifact.TABLE, "external_id", "created_at").equal(name))
        .map(List::of)
        .or(
            () ->
                queriesByTrajectory(
                    id -> Query.over(Artifact.TABLE, "trajectory", "created_at").equal(id)))
        .orElseGet(() -> List.of(subjectIndexQuery(Artifact.TABLE)));
  }

  private boolean matches(Artifact made) {
    return filter.matches(made) && subjects.isVisible(visible, made);
  }

  /** Returns one query for each trajectory, newest first; empty if the filter names none. */
  private <T> Optional<List<Query<T>>> queriesByTrajectory(Function<Id, Query<T>> walk) {
    return Optional.of(trajectoriesNewestFirst().stream().map(walk).toList())
        .filter(all -> !all.isEmpty());
  }

  private <T> Query<T> subjectIndexQuery(Table<T> table) {
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
    return view.snapshot().list(matchingQueries(query, passes, createdAt).descending(), most);
  }

  private <T> List<Query<T>> oldestFirst(
      List<Query<T>> walks, Predicate<T> passes, Function<T, Instant> createdAt) {
    return walks.stream().map(walk -> matchingQueries(walk, passes, createdAt)).toList();
  }

  private <T> Query<T> matchingQueries(
      Query<T> walk, Predicate<T> passes, Function<T, Instant> createdAt) {
    return walk.where(found -> isCreatedInTime(createdAt.apply(found)) && passes.test(found));
  }

  private boolean matches(Note note) {
    return filter.matches(note) && subjects.isVisible(visible, note);
  }

  private boolean isCreatedInTime(Instant createdAt) {
    return !createdAt.isAfter(at);
  }
}
