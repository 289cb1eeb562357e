package dev.caliber.memory.view;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.TrajectoryNoteLink;
import dev.caliber.store.Page;
import dev.caliber.store.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Notes that a trajectory contributed to. */
public record TrajectoryNotes(MemoryView view, Id trajectory) {

  List<Note> all() {
    return view.all(sourcesQuery()).stream()
        .flatMap(source -> view.find(Note.TABLE, source.note()).stream())
        .toList();
  }

  /** Passes each note to {@code work}, without a limit. */
  public void forEach(Consumer<Note> work) {
    view.snapshot()
        .forEach(sourcesQuery(), source -> view.find(Note.TABLE, source.note()).ifPresent(work));
  }

  /** Returns the newest {@code limit} notes that pass, newest first. */
  public List<Note> newest(Predicate<Note> passes, int limit) {
    List<Note> found = new ArrayList<>();
    Query<TrajectoryNoteLink> sources = sourcesQuery().descending();
    Page<TrajectoryNoteLink> part = view.snapshot().scan(sources, view.pageSize());
    notes(part, passes).forEach(found::add);
    while (part.next().isPresent() && found.size() < limit) {
      part = view.snapshot().scan(sources.resume(part.next().get()), view.pageSize());
      notes(part, passes).forEach(found::add);
    }
    return found.stream().limit(limit).toList();
  }

  /** Returns the ids of the newest {@code limit} notes, oldest first. */
  public List<Id> newestIds(int limit) {
    return view.snapshot().list(sourcesQuery().descending(), limit).reversed().stream()
        .map(TrajectoryNoteLink::note)
        .toList();
  }

  public long count() {
    return view.snapshot().count(sourcesQuery());
  }

  private Query<TrajectoryNoteLink> sourcesQuery() {
    return Query.over(TrajectoryNoteLink.TABLE, "trajectory", "note").equal(trajectory);
  }

  private Stream<Note> notes(Page<TrajectoryNoteLink> sources, Predicate<Note> passes) {
    List<Id> notes = sources.records().stream().map(TrajectoryNoteLink::note).toList();
    return view.snapshot().findAll(Note.TABLE, notes).values().stream().filter(passes);
  }
}
