package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.server.feed.FeedEvent;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The change feed of a space as events: each commit once, in order, from a place that the client
 * names. The id of an event is its place, so that a browser goes on by itself.
 */
final class EventStream implements Handler {
  private static final String AFTER = "after";
  private static final String TABLES = "tables";
  private static final Set<String> PARAMETERS = Set.of(AFTER, TABLES);

  private final FeedStreams streams;
  private final Gate gate;
  private final Told told = new Told();

  EventStream(FeedStreams streams, Gate gate) {
    this.streams = streams;
    this.gate = gate;
  }

  @Override
  public void handle(Context context) throws IOException {
    Caller caller = gate.caller(context);
    caller.requireWholeSpace("events");
    for (String name : context.queryParamMap().keySet()) {
      if (!PARAMETERS.contains(name)) {
        throw ServerException.invalidInput("/" + name, "There is no such parameter");
      }
      if (context.queryParams(name).isEmpty()) { // what could not be decoded
        throw ServerException.invalidInput("/" + name, "Wanted UTF-8, percent-encoded");
      }
    }
    streams.stream(
        context, caller.space(), start(context, caller), new Events(tables(context), told));
  }

  private static Set<String> tables(Context context) {
    String named = context.queryParam(TABLES);
    return named == null ? Set.of() : Set.copyOf(List.of(named.split(",", -1)));
  }

  /** Where the client has stopped, or the end of the feed. */
  private FeedCursor start(Context context, Caller caller) {
    String last = context.header("Last-Event-ID");
    return FeedEvent.start(
        streams.head(caller.space()),
        Optional.ofNullable(last == null ? context.queryParam(AFTER) : last));
  }

  /**
   * What was said of the commits that came last. A thousand clients that follow one space are told
   * the same, which is written once.
   */
  private static final class Told {
    private volatile @Nullable Batch last;

    private record Batch(List<Commit> commits, long epoch, Map<Set<String>, String> texts) {}

    String of(List<Commit> commits, long epoch, Set<String> tables) {
      Batch batch = last;
      if (batch == null || batch.epoch != epoch || !batch.commits.equals(commits)) {
        batch = new Batch(commits, epoch, new ConcurrentHashMap<>());
        last = batch;
      }
      return batch.texts.computeIfAbsent(tables, _ -> text(commits, epoch, tables));
    }

    private static String text(List<Commit> commits, long epoch, Set<String> tables) {
      return commits.stream()
          .map(commit -> text(commit, epoch, tables))
          .collect(Collectors.joining());
    }

    private static String text(Commit commit, long epoch, Set<String> tables) {
      return FeedEvent.of(commit, tables)
          .map(
              event ->
                  "id: %s\nevent: commit\ndata: %s\n\n"
                      .formatted(
                          FeedEvent.place(new FeedCursor(epoch, commit.sequence())),
                          Json.text(event)))
          .orElse("");
    }
  }

  /** Commits that touch some tables; all of them if there are none. */
  private record Events(Set<String> tables, Told told) implements FeedStreams.Words {
    @Override
    public String begin() {
      return ": here\n\n";
    }

    @Override
    public String changes(List<Commit> commits, long epoch) {
      return told.of(commits, epoch, tables);
    }

    /** An id without an event moves the place from which a browser goes on. */
    @Override
    public String stillHere(FeedCursor at) {
      return ": here\nid: %s\n\n".formatted(FeedEvent.place(at));
    }

    @Override
    public String end(Optional<CaliberException> reason) {
      return reason
          .map(e -> "event: problem\ndata: %s\n\n".formatted(Json.text(Problems.of(e))))
          .orElse("");
    }
  }
}
