package dev.caliber.memory.command;

import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import java.time.Instant;
import java.util.Optional;

/**
 * Which notes are to be listed, and in which of their two times; what is not said does not matter.
 *
 * @param believed only those that are believed, now or at {@code asOf}
 * @param asOf as they read at this time, and only what was believed then; empty: as they read now
 * @param validAt only what holds at this time
 */
public record NoteQuery(
    Optional<String> entity,
    Optional<String> subject,
    Optional<String> externalId,
    Optional<NoteType> type,
    boolean believed,
    Optional<Instant> asOf,
    Optional<Instant> validAt) {
  private static final NoteQuery BELIEVED =
      new NoteQuery(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          true,
          Optional.empty(),
          Optional.empty());

  public NoteQuery {
    if (!believed && asOf.isPresent()) {
      throw MemoryException.invalid(
          "notes", "those that were believed at a time", "that time and others as well");
    }
  }

  /** Everything that is believed. */
  public static NoteQuery ofBelieved() {
    return BELIEVED;
  }

  public NoteQuery about(String newEntity) {
    return new NoteQuery(
        Optional.of(newEntity), subject, externalId, type, believed, asOf, validAt);
  }

  public NoteQuery asOf(Instant recorded) {
    return new NoteQuery(
        entity, subject, externalId, type, believed, Optional.of(recorded), validAt);
  }

  public NoteQuery validAt(Instant time) {
    return new NoteQuery(entity, subject, externalId, type, believed, asOf, Optional.of(time));
  }

  /** Whether a note as it reads now is one, or one of its earlier versions may be. */
  public boolean mayMean(Note now) {
    return asOf.isPresent()
        ? !now.createdAt().isAfter(asOf.get()) && isAbout(now)
        : isAbout(now) && (!believed || now.isBelieved()) && holds(now);
  }

  /** Whether this version holds at the time asked for. */
  public boolean holds(Note version) {
    return validAt.filter(time -> !version.valid().contains(time)).isEmpty();
  }

  private boolean isAbout(Note note) {
    return type.filter(wanted -> note.type() != wanted).isEmpty()
        && entity.filter(name -> !name.equals(note.entity())).isEmpty()
        && subject.filter(name -> !note.labels().subject().equals(Optional.of(name))).isEmpty()
        && externalId
            .filter(name -> !note.labels().externalId().equals(Optional.of(name)))
            .isEmpty();
  }
}
