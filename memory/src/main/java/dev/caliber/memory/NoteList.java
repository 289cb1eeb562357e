package dev.caliber.memory;

import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.record.Note;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import java.util.Optional;

/** Notes page by page, along the index that fits the question best, newest first. */
record NoteList(MemoryView view, NoteQuery wanted) {

  /** Of the past a page may have fewer than so many, and yet not be the last. */
  Page<Note> page(Optional<PageCursor> place, int limit) {
    Query<Note> all = walk().descending().where(wanted::mayMean);
    Page<Note> now = view.snapshot().scan(place.map(all::resume).orElse(all), limit);
    return wanted.asOf().isEmpty()
        ? now
        : new Page<>(now.rows().stream().flatMap(row -> then(row).stream()).toList(), now.next());
  }

  private Optional<Row<Note>> then(Row<Note> now) {
    return view.asOf(now.record(), wanted.asOf().orElseThrow())
        .filter(wanted::holds)
        .map(version -> new Row<>(version, now.revision()));
  }

  private Query<Note> walk() {
    return wanted
        .externalId()
        .map(name -> Query.over(Note.TABLE, "external_id", "recorded_at").equal(name))
        .or(
            () ->
                wanted
                    .entity()
                    .map(name -> Query.over(Note.TABLE, "entity", "entity_type").equal(name)))
        .or(
            () ->
                wanted
                    .subject()
                    .map(name -> Query.over(Note.TABLE, "subject", "recorded_at").equal(name)))
        .orElseGet(() -> Query.over(Note.TABLE, "recorded_at"));
  }
}
