package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.access.StreamLimiter;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The change feed of a space as server-sent events, with any text. An idle stream sends
 * keep-alives, and at the same pace the key that opened it is checked again.
 */
final class FeedStreams {
  private final ChangeFeed feed;
  private final HttpAuthenticator httpAuthenticator;
  private final ServerConfig config;
  private final InstantSource clock;
  private final StreamLimiter places;
  private final Set<Thread> streaming = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  FeedStreams(
      ChangeFeed feed,
      HttpAuthenticator httpAuthenticator,
      StreamLimiter places,
      ServerConfig config,
      InstantSource clock) {
    this.feed = feed;
    this.httpAuthenticator = httpAuthenticator;
    this.config = config;
    this.clock = clock;
    this.places = places;
  }

  /** The text of a stream's events. */
  interface FeedEventText {
    String openingText();

    /** Returns the text; empty if no commit matches. */
    String changesText(List<Commit> commits, long epoch);

    /** Returns text that is no event but carries the position of the stream. */
    String keepAliveText(FeedCursor at);

    /** Returns the last text; with the error that ended the stream, unless the server stops. */
    String closingText(Optional<CaliberException> reason);
  }

  FeedCursor headCursor(SpaceId space) {
    return feed.head(space);
  }

  /** Streams until the server closes, the client leaves, the key is refused or the feed is gone. */
  void streamFeed(Context context, SpaceId space, FeedCursor start, FeedEventText feedEventText)
      throws IOException {
    Runnable giveBack = places.acquire(httpAuthenticator.reauthenticate(context).id());
    streaming.add(Thread.currentThread());
    try {
      feed.read(space, start, 1); // refuses a position that the feed no longer retains
      FeedStream feedStream = new FeedStream(context, space, feedEventText, start);
      if (!context.method().equals(HandlerType.HEAD)) {
        feedStream.follow();
      }
    } finally {
      streaming.remove(Thread.currentThread());
      giveBack.run();
    }
  }

  private final class FeedStream {
    private final Context context;
    private final SpaceId space;
    private final FeedEventText feedEventText;
    private final OutputStream out;
    private FeedCursor cursor;
    private Instant spoke;
    private Instant looked;

    FeedStream(Context context, SpaceId space, FeedEventText feedEventText, FeedCursor start)
        throws IOException {
      this.context = context;
      this.space = space;
      this.feedEventText = feedEventText;
      this.cursor = start;
      this.spoke = clock.instant();
      this.looked = spoke;
      context.res().setContentType("text/event-stream");
      context.res().setCharacterEncoding(StandardCharsets.UTF_8.name());
      context.res().setHeader("X-Accel-Buffering", "no");
      this.out = context.res().getOutputStream();
    }

    void follow() throws IOException {
      write(feedEventText.openingText());
      try {
        while (!closing) {
          sendNextChanges();
        }
        write(feedEventText.closingText(Optional.empty()));
      } catch (InterruptedException _) {
        write(feedEventText.closingText(Optional.empty())); // only a stop of the server interrupts
      } catch (CaliberException e) {
        write(feedEventText.closingText(Optional.of(e)));
      }
    }

    private void sendNextChanges() throws IOException, InterruptedException {
      ServerConfig.ServerRetention pace = config.keeping();
      List<Commit> commits = feed.await(space, cursor, pace.batch(), pace.heartbeatInterval());
      if (isDue(looked)) {
        httpAuthenticator.reauthenticate(context);
        looked = clock.instant();
      }
      if (!commits.isEmpty()) {
        write(feedEventText.changesText(commits, cursor.epoch()));
        cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
      }
      if (commits.isEmpty() || isDue(spoke)) {
        write(feedEventText.keepAliveText(cursor));
      }
    }

    private boolean isDue(Instant last) {
      Duration passed = Duration.between(last, clock.instant());
      return passed.compareTo(config.keeping().heartbeatInterval()) >= 0;
    }

    private void write(String text) throws IOException {
      if (!text.isEmpty()) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        spoke = clock.instant();
      }
    }
  }

  /** Ends all streams: clients resume at another server, or later, from their last event. */
  void close() {
    closing = true;
    streaming.forEach(Thread::interrupt);
  }
}
