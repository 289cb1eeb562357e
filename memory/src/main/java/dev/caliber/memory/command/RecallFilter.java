package dev.caliber.memory.command;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Period;
import dev.caliber.memory.record.Texts;
import dev.caliber.memory.record.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which records are meant; what is not said does not matter.
 *
 * @param externalId the name of the record in the caller's own system
 * @param trajectories any of these; empty: all
 * @param types notes, turns, artifacts; empty: all three
 * @param noteTypes of notes alone
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
    Period created) {
  private static final RecallFilter ANY =
      new RecallFilter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Set.of(),
          Set.of(),
          Set.of(),
          Map.of(),
          Period.always());

  public RecallFilter {
    subject.ifPresent(text -> Texts.requireFilled("subject", text));
    externalId.ifPresent(text -> Texts.requireFilled("external id", text));
    entity.ifPresent(text -> Texts.requireFilled("entity", text));
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
        Period.always());
  }

  /** Only what the caller's own system knows by this name. */
  public RecallFilter named(String newExternalId) {
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

  public RecallFilter about(String newEntity) {
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

  public RecallFilter in(Id... newTrajectories) {
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

  public RecallFilter only(EntityType... newTypes) {
    return new RecallFilter(
        subject, externalId, entity, trajectories, Set.of(newTypes), noteTypes, metadata, created);
  }

  public RecallFilter only(NoteType... newTypes) {
    return new RecallFilter(
        subject, externalId, entity, trajectories, types, Set.of(newTypes), metadata, created);
  }

  public RecallFilter with(String key, Object value) {
    Map<String, Object> more = new TreeMap<>(metadata);
    more.put(key, value);
    return new RecallFilter(
        subject, externalId, entity, trajectories, types, noteTypes, more, created);
  }

  public RecallFilter created(Period when) {
    return new RecallFilter(
        subject, externalId, entity, trajectories, types, noteTypes, metadata, when);
  }

  boolean isEmpty() {
    return equals(ANY);
  }

  /** Only notes have an entity and a type of their own: who asks for those wants nothing else. */
  public boolean wants(EntityType type) {
    return (types.isEmpty() || types.contains(type))
        && (type == EntityType.NOTE || isNoQuestionOfNotes());
  }

  /** The subject, if nothing else is asked for. */
  public Optional<String> subjectAlone() {
    return subject.filter(name -> equals(ofSubject(name)));
  }

  public boolean passes(Note note) {
    return wants(EntityType.NOTE)
        && entity.filter(wanted -> !wanted.equals(note.entity())).isEmpty()
        && (trajectories.isEmpty() || note.sources().stream().anyMatch(trajectories::contains))
        && (noteTypes.isEmpty() || noteTypes.contains(note.type()))
        && passes(note.labels(), note.createdAt());
  }

  public boolean passes(Turn turn) {
    return wants(EntityType.TURN)
        && isWithin(turn.trajectory())
        && passes(turn.labels(), turn.createdAt());
  }

  public boolean passes(Artifact artifact) {
    return wants(EntityType.ARTIFACT)
        && isWithin(artifact.trajectory())
        && passes(artifact.labels(), artifact.createdAt());
  }

  private boolean isNoQuestionOfNotes() {
    return entity.isEmpty() && noteTypes.isEmpty();
  }

  private boolean isWithin(Id trajectory) {
    return trajectories.isEmpty() || trajectories.contains(trajectory);
  }

  private boolean passes(Labels labels, Instant createdAt) {
    return subject.filter(wanted -> !labels.subject().equals(Optional.of(wanted))).isEmpty()
        && externalId.filter(name -> !labels.externalId().equals(Optional.of(name))).isEmpty()
        && labels.metadata().entrySet().containsAll(metadata.entrySet())
        && created.contains(createdAt);
  }
}
