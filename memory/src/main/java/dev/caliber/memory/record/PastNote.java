package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;

/** Earlier version of a note, and when the next one replaced it. */
public record PastNote(Id id, Note note, Instant until) {

  public static final Table<PastNote> TABLE =
      Table.of("past_note", "Earlier versions of notes.", PastNote.class, PastNote::id)
          .text("note", past -> past.note.id().toString())
          .integer("version", past -> past.note.version())
          .instant("until", PastNote::until)
          .index("note", "version")
          .index("until")
          .withoutFeed();

  public static PastNote of(Note note, Instant until) {
    return new PastNote(idOf(note.id(), note.version()), note, until);
  }

  public static Id idOf(Id note, int version) {
    return Id.derivedFrom("past-note", note.toString(), Integer.toString(version));
  }

  /** Returns whether this version was the newest at that time. */
  public boolean wasNewest(Instant at) {
    return !note.recordedAt().isAfter(at) && at.isBefore(until);
  }
}
