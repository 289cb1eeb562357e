package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteSource;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The notes that a trajectory has contributed to. */
record Learned(MemoryView view, Id trajectory) {

  List<Note> all() {
    return view.all(sources()).stream()
        .flatMap(source -> view.find(Note.TABLE, source.note()).stream())
        .toList();
  }

  /** Each of them, however many there are. */
  void each(Consumer<Note> work) {
    view.each(sources(), source -> view.find(Note.TABLE, source.note()).ifPresent(work));
  }

  /** The newest of them that pass, at most so many, newest first. */
  List<Note> newest(Predicate<Note> passes, int limit) {
    List<Note> found = new ArrayList<>();
    Query<NoteSource> sources = sources().descending();
    Page<NoteSource> part = view.snapshot().scan(sources, view.page());
    notes(part, passes).forEach(found::add);
    while (part.next().isPresent() && found.size() < limit) {
      part = view.snapshot().scan(sources.resume(part.next().get()), view.page());
      notes(part, passes).forEach(found::add);
    }
    return found.stream().limit(limit).toList();
  }

  /** The ids of the newest of them, at most so many, oldest first. */
  List<Id> last(int limit) {
    return view.upTo(sources().descending(), limit).reversed().stream()
        .map(NoteSource::note)
        .toList();
  }

  long count() {
    return view.snapshot().count(sources());
  }

  private Query<NoteSource> sources() {
    return Query.over(NoteSource.TABLE, "trajectory", "note").equal(trajectory);
  }

  private Stream<Note> notes(Page<NoteSource> sources, Predicate<Note> passes) {
    List<Id> notes = sources.records().stream().map(NoteSource::note).toList();
    return view.snapshot().findAll(Note.TABLE, notes).values().stream().filter(passes);
  }
}
