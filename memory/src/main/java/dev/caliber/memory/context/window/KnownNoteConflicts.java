package dev.caliber.memory.context.window;

import java.util.List;

/**
 * Conflicts that are known between the notes of a window.
 *
 * @param pairs each pair once, the most clearly decided first
 * @param more number of other pairs
 */
public record KnownNoteConflicts(List<NoteConflict> pairs, int more) {
  public static final KnownNoteConflicts NOTHING = new KnownNoteConflicts(List.of(), 0);

  public KnownNoteConflicts {
    pairs = List.copyOf(pairs);
  }
}
