package dev.caliber.server.rest;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.access.StreamPlaces;
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
 * The change feed of a space as server-sent events, whatever they say. A stream that says nothing
 * for a while says that it is there; at the same pace the key that opened it is looked at again.
 */
final class FeedStreams {
  private final ChangeFeed feed;
  private final Gate gate;
  private final ServerConfig config;
  private final InstantSource clock;
  private final StreamPlaces places;
  private final Set<Thread> streaming = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  FeedStreams(
      ChangeFeed feed, Gate gate, StreamPlaces places, ServerConfig config, InstantSource clock) {
    this.feed = feed;
    this.gate = gate;
    this.config = config;
    this.clock = clock;
    this.places = places;
  }

  /** What a stream says, as text of server-sent events. */
  interface Words {
    String begin();

    /** Empty if none of them is wanted. */
    String changes(List<Commit> commits, long epoch);

    /** Something that is no event, so that the client is there and knows how far it has come. */
    String stillHere(FeedCursor at);

    /** The last of it; with what has ended it, if that was no stop of the server. */
    String end(Optional<CaliberException> reason);
  }

  FeedCursor head(SpaceId space) {
    return feed.head(space);
  }

  /** Until the server closes, nobody listens any more, the key is refused or the feed is gone. */
  void stream(Context context, SpaceId space, FeedCursor start, Words words) throws IOException {
    Runnable giveBack = places.take(gate.again(context).id());
    streaming.add(Thread.currentThread());
    try {
      feed.read(space, start, 1); // what is no longer kept is refused before it begins
      Stream stream = new Stream(context, space, words, start);
      if (!context.method().equals(HandlerType.HEAD)) {
        stream.follow();
      }
    } finally {
      streaming.remove(Thread.currentThread());
      giveBack.run();
    }
  }

  private final class Stream {
    private final Context context;
    private final SpaceId space;
    private final Words words;
    private final OutputStream out;
    private FeedCursor cursor;
    private Instant spoke;
    private Instant looked;

    Stream(Context context, SpaceId space, Words words, FeedCursor start) throws IOException {
      this.context = context;
      this.space = space;
      this.words = words;
      this.cursor = start;
      this.spoke = clock.instant();
      this.looked = spoke;
      context.res().setContentType("text/event-stream");
      context.res().setCharacterEncoding(StandardCharsets.UTF_8.name());
      context.res().setHeader("X-Accel-Buffering", "no");
      this.out = context.res().getOutputStream();
    }

    void follow() throws IOException {
      say(words.begin());
      try {
        while (!closing) {
          step();
        }
        say(words.end(Optional.empty()));
      } catch (InterruptedException _) {
        say(words.end(Optional.empty())); // only a stop interrupts
      } catch (CaliberException e) {
        say(words.end(Optional.of(e)));
      }
    }

    private void step() throws IOException, InterruptedException {
      ServerConfig.Keeping pace = config.keeping();
      List<Commit> commits = feed.await(space, cursor, pace.batch(), pace.heartbeat());
      if (isDue(looked)) {
        gate.again(context);
        looked = clock.instant();
      }
      if (!commits.isEmpty()) {
        say(words.changes(commits, cursor.epoch()));
        cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
      }
      if (commits.isEmpty() || isDue(spoke)) {
        say(words.stillHere(cursor));
      }
    }

    private boolean isDue(Instant last) {
      Duration passed = Duration.between(last, clock.instant());
      return passed.compareTo(config.keeping().heartbeat()) >= 0;
    }

    private void say(String text) throws IOException {
      if (!text.isEmpty()) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        spoke = clock.instant();
      }
    }
  }

  /** Ends all of them: a client goes on elsewhere, or later, from its last event. */
  void close() {
    closing = true;
    streaming.forEach(Thread::interrupt);
  }
}
