package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What notes were before they became what they are. */
record NoteVersions(MemoryView view) {

  /** Earlier versions of a note, oldest first. */
  List<PastNote> before(Id note) {
    return view.all(versions(note));
  }

  /** A note as it was believed at a time, with what was known of it then. */
  Optional<Note> believed(Note note, Instant recorded) {
    return newest(note, recorded)
        .filter(then -> then.wasBelieved(recorded))
        .map(then -> then.stillBelieved(conflictsThen(then, recorded)));
  }

  /** The version that was the newest at a time, believed or not. */
  private Optional<Note> newest(Note note, Instant at) {
    if (!note.recordedAt().isAfter(at)) {
      return Optional.of(note);
    }
    return view.first(versions(note.id()).where(past -> past.wasNewest(at))).map(PastNote::note);
  }

  /** A link is known since the later of two versions that have it. */
  private List<Id> conflictsThen(Note note, Instant at) {
    return note.conflictsWith().stream()
        .filter(
            id ->
                view.find(Note.TABLE, id)
                    .flatMap(other -> newest(other, at))
                    .filter(other -> other.conflictsWith().contains(note.id()))
                    .isPresent())
        .toList();
  }

  private static Query<PastNote> versions(Id note) {
    return Query.over(PastNote.TABLE, "note", "version").equal(note);
  }
}
