package dev.caliber.server.operation;

import dev.caliber.kernel.Limit;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.NoteQuery;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import java.util.List;
import java.util.Optional;

/** Reads tables page by page. */
public record Pages(RecordStore store, Limit limit) {
  static Pages of(Rooms rooms, ServerConfig.Limits limits) {
    return of(rooms.store(), limits);
  }

  public static Pages of(RecordStore store, ServerConfig.Limits limits) {
    return new Pages(store, new Limit("server.limits.page", limits.page()));
  }

  /** Which part of a list is wanted. */
  public record Wanted(Optional<Integer> limit, Optional<String> cursor) {}

  public <T> Listed<T> read(Caller caller, Query<T> query, Wanted wanted) {
    Query<T> from = from(query, wanted);
    return listed(
        store.read(caller.space(), snapshot -> snapshot.scan(from, size(wanted.limit()))));
  }

  /** With what their turns have come to, as one that is asked for alone. */
  Listed<Trajectory> read(Memory memory, Caller caller, Query<Trajectory> query, Wanted wanted) {
    Query<Trajectory> from = from(query, wanted);
    return listed(memory.view(caller.space(), view -> view.page(from, size(wanted.limit()))));
  }

  /** Notes as they read now, or as they did. */
  Listed<Note> read(Memory memory, Caller caller, NoteQuery query, Wanted wanted) {
    Optional<PageCursor> place = wanted.cursor().map(PageCursor::new);
    return listed(
        memory.view(caller.space(), view -> view.page(query, place, size(wanted.limit()))));
  }

  private static <T> Query<T> from(Query<T> query, Wanted wanted) {
    return wanted.cursor().map(text -> query.resume(new PageCursor(text))).orElse(query);
  }

  private static <T> Listed<T> listed(Page<T> page) {
    return new Listed<>(page.records(), page.next().map(PageCursor::text));
  }

  /** As many at once as a page has; more are refused. */
  <T> List<T> bounded(List<T> all) {
    limit.check(all.size());
    return all;
  }

  /** How many records; no more than the limit, and at least one. */
  int size(Optional<Integer> wanted) {
    int size = wanted.orElse((int) limit.max());
    if (size < 1) {
      throw ServerException.invalidInput("/limit", "Wanted 1 or more, found less");
    }
    return (int) limit.check("limit", size);
  }
}
