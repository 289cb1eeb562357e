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
 * A handler that streams the change feed of a space as events: each commit once, in order, from a
 * position that the client names. The id of an event is its position, so that browsers resume by
 * themselves.
 */
final class FeedEventHandler implements Handler {
  private static final String AFTER = "after";
  private static final String TABLES = "tables";
  private static final Set<String> PARAMETERS = Set.of(AFTER, TABLES);

  private final FeedStreams streams;
  private final HttpAuthenticator httpAuthenticator;
  private final CommitTextCache commitTextCache = new CommitTextCache();

  FeedEventHandler(FeedStreams streams, HttpAuthenticator httpAuthenticator) {
    this.streams = streams;
    this.httpAuthenticator = httpAuthenticator;
  }

  @Override
  public void handle(Context context) throws IOException {
    Caller caller = httpAuthenticator.caller(context);
    caller.requireWholeSpace("events");
    for (String name : context.queryParamMap().keySet()) {
      if (!PARAMETERS.contains(name)) {
        throw ServerException.invalidInput("/" + name, "Unknown parameter");
      }
      if (context.queryParams(name).isEmpty()) { // not decodable
        throw ServerException.invalidInput("/" + name, "Expected percent-encoded UTF-8");
      }
    }
    streams.streamFeed(
        context,
        caller.space(),
        startCursor(context, caller),
        new CommitEventText(requestedTables(context), commitTextCache));
  }

  private static Set<String> requestedTables(Context context) {
    String named = context.queryParam(TABLES);
    return named == null ? Set.of() : Set.copyOf(List.of(named.split(",", -1)));
  }

  /** Returns the position that the client names, or the end of the feed. */
  private FeedCursor startCursor(Context context, Caller caller) {
    String last = context.header("Last-Event-ID");
    return FeedEvent.startCursor(
        streams.headCursor(caller.space()),
        Optional.ofNullable(last == null ? context.queryParam(AFTER) : last));
  }

  /** A cache of the text of recent commits, which all clients of one space share. */
  private static final class CommitTextCache {
    private volatile @Nullable CachedCommitText last;

    private record CachedCommitText(
        List<Commit> commits, long epoch, Map<Set<String>, String> texts) {}

    String textOf(List<Commit> commits, long epoch, Set<String> tables) {
      CachedCommitText cachedCommitText = last;
      if (cachedCommitText == null
          || cachedCommitText.epoch != epoch
          || !cachedCommitText.commits.equals(commits)) {
        cachedCommitText = new CachedCommitText(commits, epoch, new ConcurrentHashMap<>());
        last = cachedCommitText;
      }
      return cachedCommitText.texts.computeIfAbsent(tables, _ -> text(commits, epoch, tables));
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
                          FeedEvent.eventId(new FeedCursor(epoch, commit.sequence())),
                          Json.text(event)))
          .orElse("");
    }
  }

  /** The text of commits that change some of these tables; of any table if the set is empty. */
  private record CommitEventText(Set<String> tables, CommitTextCache textCache)
      implements FeedStreams.FeedEventText {
    @Override
    public String openingText() {
      return ": here\n\n";
    }

    @Override
    public String changesText(List<Commit> commits, long epoch) {
      return textCache.textOf(commits, epoch, tables);
    }

    /** Returns an id without an event, which updates the position from which a browser resumes. */
    @Override
    public String keepAliveText(FeedCursor at) {
      return ": here\nid: %s\n\n".formatted(FeedEvent.eventId(at));
    }

    @Override
    public String closingText(Optional<CaliberException> reason) {
      return reason
          .map(
              e ->
                  "event: problem\ndata: %s\n\n"
                      .formatted(Json.text(HttpErrorHandler.toProblemDetails(e))))
          .orElse("");
    }
  }
}
