package dev.caliber.memory.command;

import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import java.time.Instant;
import java.util.Optional;

/**
 * Query for notes, in both of their times; an empty field matches all.
 *
 * @param believed only notes that are believed, now or at {@code asOf}
 * @param asOf reads the versions that were believed at this time; empty: as of now
 * @param validAt only notes that hold at this time
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
          "notes",
          "only believed notes, because as_of is set",
          "superseded and invalidated notes too");
    }
  }

  /** Returns a query for all believed notes. */
  public static NoteQuery allBelieved() {
    return BELIEVED;
  }

  public NoteQuery withEntity(String newEntity) {
    return new NoteQuery(
        Optional.of(newEntity), subject, externalId, type, believed, asOf, validAt);
  }

  public NoteQuery withAsOf(Instant recorded) {
    return new NoteQuery(
        entity, subject, externalId, type, believed, Optional.of(recorded), validAt);
  }

  public NoteQuery withValidAt(Instant time) {
    return new NoteQuery(entity, subject, externalId, type, believed, asOf, Optional.of(time));
  }

  /** Returns whether the note matches now, or one of its earlier versions may match. */
  public boolean mayMatch(Note now) {
    return asOf.isPresent()
        ? !now.createdAt().isAfter(asOf.get()) && matchesFields(now)
        : matchesFields(now) && (!believed || now.isBelieved()) && matchesValidTime(now);
  }

  /** Returns whether this version holds at the queried time. */
  public boolean matchesValidTime(Note version) {
    return validAt.filter(time -> !version.valid().contains(time)).isEmpty();
  }

  private boolean matchesFields(Note note) {
    return type.filter(wanted -> note.type() != wanted).isEmpty()
        && entity.filter(name -> !name.equals(note.entity())).isEmpty()
        && subject.filter(name -> !note.labels().subject().equals(Optional.of(name))).isEmpty()
        && externalId
            .filter(name -> !note.labels().externalId().equals(Optional.of(name)))
            .isEmpty();
  }
}
