package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/** Link from a trajectory to a note that was learned in it. */
public record NoteSource(Id id, Id note, Id trajectory) {

  public static final Table<NoteSource> TABLE =
      Table.of(
              "note_source",
              "Notes by the trajectories they were learned in.",
              NoteSource.class,
              NoteSource::id)
          .text("note", source -> source.note.toString())
          .text("trajectory", source -> source.trajectory.toString())
          .index("trajectory", "note")
          .withoutFeed();

  static NoteSource of(Note note, Id trajectory) {
    return new NoteSource(idOf(note.id(), trajectory), note.id(), trajectory);
  }

  static Id idOf(Id note, Id trajectory) {
    return Id.deterministic("note-source", note.toString(), trajectory.toString());
  }
}
