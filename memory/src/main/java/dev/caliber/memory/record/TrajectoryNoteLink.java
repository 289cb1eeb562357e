package dev.caliber.memory.record;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/** Link from a trajectory to a note that was learned in it. */
public record TrajectoryNoteLink(Id id, Id note, Id trajectory) {

  public static final Table<TrajectoryNoteLink> TABLE =
      Table.of(
              "note_source",
              "Notes by the trajectories they were learned in.",
              TrajectoryNoteLink.class,
              TrajectoryNoteLink::id)
          .text("note", source -> source.note.toString())
          .text("trajectory", source -> source.trajectory.toString())
          .index("trajectory", "note")
          .withoutFeed();

  public static TrajectoryNoteLink of(Note note, Id trajectory) {
    return new TrajectoryNoteLink(idOf(note.id(), trajectory), note.id(), trajectory);
  }

  public static Id idOf(Id note, Id trajectory) {
    return Id.derivedFrom("note-source", note.toString(), trajectory.toString());
  }
}
