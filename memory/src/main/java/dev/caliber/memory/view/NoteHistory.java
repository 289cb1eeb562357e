package dev.caliber.memory.view;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Earlier versions of notes. */
record NoteHistory(MemoryView view) {

  /** Returns the earlier versions of a note, oldest first. */
  List<PastNote> earlierVersions(Id note) {
    return view.all(versions(note));
  }

  /** Returns the version that was believed at a time, with its links of that time. */
  Optional<Note> believedAt(Note note, Instant recorded) {
    return newestAt(note, recorded)
        .filter(then -> then.wasBelieved(recorded))
        .map(then -> then.unretired(conflictsAt(then, recorded)));
  }

  /** Returns the version that was the newest at a time, retired or not. */
  private Optional<Note> newestAt(Note note, Instant at) {
    if (!note.recordedAt().isAfter(at)) {
      return Optional.of(note);
    }
    return view.first(versions(note.id()).where(past -> past.wasNewest(at))).map(PastNote::note);
  }

  /** Returns the links of that time: a link exists once both versions have it. */
  private List<Id> conflictsAt(Note note, Instant at) {
    return note.conflictsWith().stream()
        .filter(
            id ->
                view.find(Note.TABLE, id)
                    .flatMap(other -> newestAt(other, at))
                    .filter(other -> other.conflictsWith().contains(note.id()))
                    .isPresent())
        .toList();
  }

  private static Query<PastNote> versions(Id note) {
    return Query.over(PastNote.TABLE, "note", "version").equal(note);
  }
}
