package dev.caliber.memory.context;

import java.util.List;

/**
 * Conflicts that are known between the notes of a window.
 *
 * @param pairs each pair once, the most clearly decided first
 * @param more number of other pairs
 */
record KnownNoteConflicts(List<NoteConflict> pairs, int more) {
  static final KnownNoteConflicts NOTHING = new KnownNoteConflicts(List.of(), 0);

  KnownNoteConflicts {
    pairs = List.copyOf(pairs);
  }
}
