package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.TimeRange;
import dev.caliber.memory.record.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Filter for records; an empty field matches all.
 *
 * @param externalId name of the record in the caller's own system
 * @param trajectories any of these; empty: all
 * @param types notes, turns, artifacts; empty: all three
 * @param noteTypes types of notes; excludes other records
 * @param metadata every one of these values
 * @param created when the record was made
 */
public record RecallFilter(
    Optional<String> subject,
    Optional<String> externalId,
    Optional<String> entity,
    Set<Id> trajectories,
    Set<EntityType> types,
    Set<NoteType> noteTypes,
    Map<String, Object> metadata,
    TimeRange created) {
  private static final RecallFilter ANY =
      new RecallFilter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Set.of(),
          Set.of(),
          Set.of(),
          Map.of(),
          TimeRange.always());

  public RecallFilter {
    subject.ifPresent(text -> TextChecks.requireNotBlank("subject", text));
    externalId.ifPresent(text -> TextChecks.requireNotBlank("external id", text));
    entity.ifPresent(text -> TextChecks.requireNotBlank("entity", text));
    trajectories = Set.copyOf(trajectories);
    types = Set.copyOf(types);
    noteTypes = Set.copyOf(noteTypes);
    metadata = new Labels(Optional.empty(), Optional.empty(), metadata).metadata();
  }

  public static RecallFilter any() {
    return ANY;
  }

  public static RecallFilter ofSubject(String subject) {
    return new RecallFilter(
        Optional.of(subject),
        Optional.empty(),
        Optional.empty(),
        Set.of(),
        Set.of(),
        Set.of(),
        Map.of(),
        TimeRange.always());
  }

  /** Limits the filter to this external id. */
  public RecallFilter withExternalId(String newExternalId) {
    return new RecallFilter(
        subject,
        Optional.of(newExternalId),
        entity,
        trajectories,
        types,
        noteTypes,
        metadata,
        created);
  }

  public RecallFilter withEntity(String newEntity) {
    return new RecallFilter(
        subject,
        externalId,
        Optional.of(newEntity),
        trajectories,
        types,
        noteTypes,
        metadata,
        created);
  }

  public RecallFilter withTrajectories(Id... newTrajectories) {
    return new RecallFilter(
        subject,
        externalId,
        entity,
        Set.copyOf(List.of(newTrajectories)),
        types,
        noteTypes,
        metadata,
        created);
  }

  public RecallFilter withTypes(EntityType... newTypes) {
    return new RecallFilter(
        subject, externalId, entity, trajectories, Set.of(newTypes), noteTypes, metadata, created);
  }

  public RecallFilter withNoteTypes(NoteType... newTypes) {
    return new RecallFilter(
        subject, externalId, entity, trajectories, types, Set.of(newTypes), metadata, created);
  }

  public RecallFilter withMetadata(String key, Object value) {
    Map<String, Object> more = new TreeMap<>(metadata);
    more.put(key, value);
    return new RecallFilter(
        subject, externalId, entity, trajectories, types, noteTypes, more, created);
  }

  public RecallFilter withCreated(TimeRange when) {
    return new RecallFilter(
        subject, externalId, entity, trajectories, types, noteTypes, metadata, when);
  }

  boolean isEmpty() {
    return equals(ANY);
  }

  /** Returns whether the type can match; an entity or a note type excludes all but notes. */
  public boolean includesType(EntityType type) {
    return (types.isEmpty() || types.contains(type))
        && (type == EntityType.NOTE || hasNoNoteFields());
  }

  /** Returns the subject, if the filter has no other field. */
  public Optional<String> onlySubject() {
    return subject.filter(name -> equals(ofSubject(name)));
  }

  public boolean matches(Note note) {
    return includesType(EntityType.NOTE)
        && entity.filter(wanted -> !wanted.equals(note.entity())).isEmpty()
        && (trajectories.isEmpty() || note.sources().stream().anyMatch(trajectories::contains))
        && (noteTypes.isEmpty() || noteTypes.contains(note.type()))
        && matches(note.labels(), note.createdAt());
  }

  public boolean matches(Turn turn) {
    return includesType(EntityType.TURN)
        && matchesTrajectory(turn.trajectory())
        && matches(turn.labels(), turn.createdAt());
  }

  public boolean matches(Artifact artifact) {
    return includesType(EntityType.ARTIFACT)
        && matchesTrajectory(artifact.trajectory())
        && matches(artifact.labels(), artifact.createdAt());
  }

  private boolean hasNoNoteFields() {
    return entity.isEmpty() && noteTypes.isEmpty();
  }

  private boolean matchesTrajectory(Id trajectory) {
    return trajectories.isEmpty() || trajectories.contains(trajectory);
  }

  private boolean matches(Labels labels, Instant createdAt) {
    return subject.filter(wanted -> !labels.subject().equals(Optional.of(wanted))).isEmpty()
        && externalId.filter(name -> !labels.externalId().equals(Optional.of(name))).isEmpty()
        && labels.metadata().entrySet().containsAll(metadata.entrySet())
        && created.contains(createdAt);
  }
}
