package dev.caliber.bench;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How soon a follower that waits on the feed holds a commit: from the commit's return to its
 * writer, and from the call. A commit that the follower holds before its writer returns counts as
 * 0.
 */
final class FeedDelivery {

  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final double BAR_MILLIS = 50;
  private static final int PER_SECOND = 200;
  private static final long NANOS_BETWEEN = Duration.ofSeconds(1).toNanos() / PER_SECOND;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int PAGE = 100;
  private static final int FEWEST = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int SILENT_ROUNDS = 30;

  private final Rig rig;
  private final Knobs knobs;

  FeedDelivery(Rig rig, Knobs knobs) {
    this.rig = rig;
    this.knobs = knobs;
  }

  /** When a commit was called and when it returned. */
  private record Times(long called, long returned) {}

  void measure(Report.Section section, String who, RecordStore follower) {
    Samples sinceCall = new Samples();
    Samples sinceReturn = new Samples();
    ChangeFeed feed = follower.changes();
    FeedCursor start = feed.head(SpaceId.DEFAULT);
    long commits =
        Math.max(
            FEWEST, knobs.sampleTime().multipliedBy(knobs.samples()).toNanos() / NANOS_BETWEEN);
    try (ExecutorService threads =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().name("bench-follower").factory())) {
      Future<Map<Long, Long>> delivered = threads.submit(() -> follow(feed, start, commits));
      Map<Long, Times> written = write(commits);
      Map<Long, Long> arrivals = delivered.get();
      written.forEach(
          (sequence, times) -> {
            Long arrival = arrivals.get(sequence);
            if (arrival == null) {
              throw BenchException.notDelivered(sequence);
            }
            sinceCall.add(arrival - times.called);
            sinceReturn.add(Math.max(0, arrival - times.returned));
          });
    } catch (ExecutionException e) {
      throw BenchException.preparing("Following the feed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw BenchException.preparing("Following the feed", e);
    }
    section.add(who + ", commits followed", sinceCall.size(), Figure.Unit.COUNT);
    add(section, who + ", from the call, p50", sinceCall.percentile(MEDIAN));
    add(section, who + ", from the call, p99", sinceCall.percentile(HIGH));
    add(section, who + ", from the return, p50", sinceReturn.percentile(MEDIAN));
    section.add(
        who + ", from the return, p99",
        sinceReturn.percentile(HIGH) / NANOS_PER_MILLI,
        Figure.Unit.MILLIS,
        Figure.Bar.below(BAR_MILLIS));
  }

  private static void add(Report.Section section, String name, long nanos) {
    section.add(name, nanos / NANOS_PER_MILLI, Figure.Unit.MILLIS);
  }

  /** Commits at a moderate, even rate. */
  private Map<Long, Times> write(long commits) {
    Map<Long, Times> written = new ConcurrentHashMap<>();
    long due = Stopwatch.nanos();
    for (long i = 0; i < commits; i++) {
      Stopwatch.waitUntil(due);
      Entry entry = rig.entries().next();
      long called = Stopwatch.nanos();
      long sequence = rig.ours().commitNumbered(entry);
      written.put(sequence, new Times(called, Stopwatch.nanos()));
      due = Math.max(due + NANOS_BETWEEN, called);
    }
    return written;
  }

  /** When each commit was in the follower's hands. */
  private static Map<Long, Long> follow(ChangeFeed feed, FeedCursor start, long commits)
      throws InterruptedException {
    Map<Long, Long> arrivals = new ConcurrentHashMap<>();
    FeedCursor cursor = start;
    int silent = 0;
    while (arrivals.size() < commits && silent < SILENT_ROUNDS) {
      List<Commit> page = feed.await(SpaceId.DEFAULT, cursor, PAGE, PATIENCE);
      long now = Stopwatch.nanos();
      for (Commit commit : page) {
        arrivals.put(commit.sequence(), now);
        cursor = new FeedCursor(cursor.epoch(), commit.sequence());
      }
      silent = page.isEmpty() ? silent + 1 : 0;
    }
    return arrivals;
  }
}
