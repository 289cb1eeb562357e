package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchEntry;
import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.MeasuredSamples;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.Stopwatch;
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
 * Measures the delay until a follower of the feed has a commit: from the commit's return to its
 * writer, and from the call. A commit that the follower has before its writer returns counts as 0.
 */
final class FeedDeliveryBench {

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

  private final BenchStore benchStore;
  private final MeasurementSettings measurementSettings;

  FeedDeliveryBench(BenchStore benchStore, MeasurementSettings measurementSettings) {
    this.benchStore = benchStore;
    this.measurementSettings = measurementSettings;
  }

  /** Start and end of a commit's call. */
  private record CommitTimes(long called, long returned) {}

  void measure(BenchReport.ReportSection reportSection, String who, RecordStore follower) {
    MeasuredSamples sinceCall = new MeasuredSamples();
    MeasuredSamples sinceReturn = new MeasuredSamples();
    ChangeFeed feed = follower.changes();
    FeedCursor start = feed.head(SpaceId.DEFAULT);
    long commits =
        Math.max(
            FEWEST,
            measurementSettings.sampleTime().multipliedBy(measurementSettings.samples()).toNanos()
                / NANOS_BETWEEN);
    try (ExecutorService threads =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().name("bench-follower").factory())) {
      Future<Map<Long, Long>> delivered = threads.submit(() -> followFeed(feed, start, commits));
      Map<Long, CommitTimes> written = writeCommits(commits);
      Map<Long, Long> arrivals = delivered.get();
      written.forEach(
          (sequence, commitTimes) -> {
            Long arrival = arrivals.get(sequence);
            if (arrival == null) {
              throw BenchException.notDelivered(sequence);
            }
            sinceCall.add(arrival - commitTimes.called);
            sinceReturn.add(Math.max(0, arrival - commitTimes.returned));
          });
    } catch (ExecutionException e) {
      throw BenchException.preparationFailed("Following the feed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw BenchException.preparationFailed("Following the feed", e);
    }
    reportSection.add(who + ", commits followed", sinceCall.size(), Figure.FigureUnit.COUNT);
    addLatencies(reportSection, who + ", from the call, p50", sinceCall.percentile(MEDIAN));
    addLatencies(reportSection, who + ", from the call, p99", sinceCall.percentile(HIGH));
    addLatencies(reportSection, who + ", from the return, p50", sinceReturn.percentile(MEDIAN));
    reportSection.add(
        who + ", from the return, p99",
        sinceReturn.percentile(HIGH) / NANOS_PER_MILLI,
        Figure.FigureUnit.MILLIS,
        Figure.FigureTarget.below(BAR_MILLIS));
  }

  private static void addLatencies(
      BenchReport.ReportSection reportSection, String name, long nanos) {
    reportSection.add(name, nanos / NANOS_PER_MILLI, Figure.FigureUnit.MILLIS);
  }

  /** Writes commits at a moderate, even rate. */
  private Map<Long, CommitTimes> writeCommits(long commits) {
    Map<Long, CommitTimes> written = new ConcurrentHashMap<>();
    long due = Stopwatch.nanos();
    for (long i = 0; i < commits; i++) {
      Stopwatch.waitUntil(due);
      BenchEntry benchEntry = benchStore.entries().newEntry();
      long called = Stopwatch.nanos();
      long sequence = benchStore.caliber().commitForSequence(benchEntry);
      written.put(sequence, new CommitTimes(called, Stopwatch.nanos()));
      due = Math.max(due + NANOS_BETWEEN, called);
    }
    return written;
  }

  /** Returns the time at which the follower had each commit. */
  private static Map<Long, Long> followFeed(ChangeFeed feed, FeedCursor start, long commits)
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
