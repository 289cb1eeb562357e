package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Change;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The change feed of a space as server-sent events: each commit once, in order, from a place that
 * the client names. The id of an event is its place, so that a browser goes on by itself.
 */
final class EventStream implements Handler {
  private static final String PLACE_SEPARATOR = "-";

  private final ChangeFeed feed;
  private final Gate gate;
  private final ServerConfig config;
  private final Semaphore places;
  private final Set<Thread> streaming = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  EventStream(ChangeFeed feed, Gate gate, ServerConfig config) {
    this.feed = feed;
    this.gate = gate;
    this.config = config;
    this.places = new Semaphore(config.limits().streams());
  }

  /** A commit on the wire. */
  private record Event(long sequence, Instant time, List<Change> changes) {}

  @Override
  public void handle(Context context) throws IOException {
    Caller caller = gate.caller(context);
    FeedCursor start = start(context, caller);
    Set<String> tables = tables(context);
    if (!places.tryAcquire()) {
      throw ServerException.overloaded("server.limits.streams", config.limits().patience());
    }
    streaming.add(Thread.currentThread());
    try {
      feed.read(caller.space(), start, 1); // what is no longer kept is refused before it begins
      stream(context, caller, start, tables);
    } catch (InterruptedException _) {
      closing = true; // only a stop interrupts
    } finally {
      streaming.remove(Thread.currentThread());
      places.release();
    }
  }

  private static Set<String> tables(Context context) {
    String named = context.queryParam("tables");
    return named == null ? Set.of() : Set.copyOf(List.of(named.split(",", -1)));
  }

  /** Where the client has stopped, or the end of the feed. */
  private FeedCursor start(Context context, Caller caller) {
    String last = context.header("Last-Event-ID");
    String named = last == null ? context.queryParam("after") : last;
    FeedCursor head = feed.head(caller.space());
    if (named == null) {
      return head;
    }
    String[] parts = named.split(PLACE_SEPARATOR, 2);
    try {
      return parts.length == 2
          ? new FeedCursor(Long.parseLong(parts[0]), Long.parseLong(parts[1]))
          : new FeedCursor(head.epoch(), Long.parseLong(named));
    } catch (IllegalArgumentException _) {
      throw ServerException.invalidInput("/after", "Wanted a sequence or the id of an event");
    }
  }

  private void stream(Context context, Caller caller, FeedCursor start, Set<String> tables)
      throws IOException, InterruptedException {
    context.res().setContentType("text/event-stream");
    context.res().setCharacterEncoding(StandardCharsets.UTF_8.name());
    context.res().setHeader("Cache-Control", "no-store");
    context.res().setHeader("X-Accel-Buffering", "no");
    OutputStream out = context.res().getOutputStream();
    send(out, ": here\n\n");
    FeedCursor cursor = start;
    while (!closing) {
      try {
        List<Commit> commits =
            feed.await(
                caller.space(), cursor, config.keeping().batch(), config.keeping().heartbeat());
        send(out, commits.isEmpty() ? ": here\n\n" : text(commits, cursor.epoch(), tables));
        cursor =
            commits.isEmpty()
                ? cursor
                : new FeedCursor(cursor.epoch(), commits.getLast().sequence());
      } catch (CaliberException e) {
        send(out, "event: problem\ndata: %s\n\n".formatted(Json.text(Problems.of(e))));
        return;
      }
    }
  }

  private static String text(List<Commit> commits, long epoch, Set<String> tables) {
    StringBuilder text = new StringBuilder();
    for (Commit commit : commits) {
      List<Change> changes =
          commit.changes().stream()
              .filter(change -> tables.isEmpty() || tables.contains(change.table()))
              .toList();
      if (!changes.isEmpty()) {
        text.append("id: ").append(epoch).append(PLACE_SEPARATOR).append(commit.sequence());
        text.append("\nevent: commit\ndata: ");
        text.append(Json.text(new Event(commit.sequence(), commit.time(), changes)));
        text.append("\n\n");
      }
    }
    return text.toString();
  }

  private static void send(OutputStream out, String text) throws IOException {
    if (!text.isEmpty()) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  /** Ends all of them: a client goes on elsewhere, or later, from its last event. */
  void close() {
    closing = true;
    streaming.forEach(Thread::interrupt);
  }
}
