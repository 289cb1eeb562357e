package dev.caliber.memory.view;

import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.record.Note;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.Row;
import java.util.Optional;

/** Pages of notes, read along the index that fits the query best, newest first. */
record NoteQueryReader(MemoryView view, NoteQuery wanted) {

  /**
   * Reads one page. For a query of the past it may be shorter than {@code limit} without being the
   * last.
   */
  Page<Note> page(Optional<PageCursor> place, int limit) {
    Query<Note> all = indexQuery().descending().where(wanted::mayMatch);
    Page<Note> now = view.snapshot().scan(place.map(all::resume).orElse(all), limit);
    return wanted.asOf().isEmpty()
        ? now
        : new Page<>(
            now.rows().stream().flatMap(row -> atQueriedTime(row).stream()).toList(), now.next());
  }

  private Optional<Row<Note>> atQueriedTime(Row<Note> now) {
    return view.asOf(now.record(), wanted.asOf().orElseThrow())
        .filter(wanted::matchesValidTime)
        .map(version -> new Row<>(version, now.revision()));
  }

  private Query<Note> indexQuery() {
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
