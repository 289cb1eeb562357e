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
import java.util.function.Function;

/** A reader of tables, page by page. */
public record PageReader(RecordStore store, Limit limit) {
  static PageReader of(ServerModules modules, ServerConfig.ServerLimits limits) {
    return of(modules.store(), limits);
  }

  public static PageReader of(RecordStore store, ServerConfig.ServerLimits limits) {
    return new PageReader(store, new Limit("server.limits.page-size", limits.pageSize()));
  }

  /** A request for a page of a list. */
  public interface PageRequest {
    Optional<Integer> limit();

    Optional<String> cursor();
  }

  /** The request for a page of a list without filters. */
  public record UnfilteredPageRequest(Optional<Integer> limit, Optional<String> cursor)
      implements PageRequest {}

  /** Returns the operation that lists the records of a query. */
  public <I extends Record & PageRequest, T> Operation<I, PageResponse<T>> listOperation(
      String name, Class<I> input, Function<I, Query<T>> query) {
    return Operation.readOnly(
        name, input, (caller, request) -> read(caller, query.apply(request), request));
  }

  public <T> PageResponse<T> read(Caller caller, Query<T> query, PageRequest pageRequest) {
    Query<T> from = resumeQuery(query, pageRequest);
    return toResponse(
        store.read(caller.space(), snapshot -> snapshot.scan(from, pageSize(pageRequest.limit()))));
  }

  /** Adds the totals of turns to trajectories, as a read of a single one does. */
  PageResponse<Trajectory> read(
      Memory memory, Caller caller, Query<Trajectory> query, PageRequest pageRequest) {
    Query<Trajectory> from = resumeQuery(query, pageRequest);
    return toResponse(
        memory.view(
            caller.space(), view -> view.trajectoryPage(from, pageSize(pageRequest.limit()))));
  }

  /** Reads notes as they are now, or as they were at a time. */
  PageResponse<Note> read(Memory memory, Caller caller, NoteQuery query, PageRequest pageRequest) {
    Optional<PageCursor> place = pageRequest.cursor().map(PageCursor::new);
    return toResponse(
        memory.view(
            caller.space(), view -> view.notePage(query, place, pageSize(pageRequest.limit()))));
  }

  private static <T> Query<T> resumeQuery(Query<T> query, PageRequest pageRequest) {
    return pageRequest.cursor().map(text -> query.resume(new PageCursor(text))).orElse(query);
  }

  private static <T> PageResponse<T> toResponse(Page<T> page) {
    return new PageResponse<>(page.records(), page.next().map(PageCursor::text));
  }

  /** Refuses more elements than a page has. */
  <T> List<T> requireWithinPage(List<T> all) {
    limit.requireWithin(all.size());
    return all;
  }

  /** Returns the page size: at least one, at most the limit. */
  int pageSize(Optional<Integer> wanted) {
    int size = wanted.orElse((int) limit.max());
    if (size < 1) {
      throw ServerException.invalidInput("/limit", "Expected 1 or more");
    }
    return (int) limit.requireWithin("limit", size);
  }
}
