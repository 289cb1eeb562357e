package dev.caliber.app.demo;

import dev.caliber.app.shell.CaliberCommand;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A part of the demo: a process is killed while it writes, and nothing is lost. */
public final class DemoProcessKill {
  /** A space of its own, so that the messages are not in the way of the story. */
  static final SpaceId SPACE = new SpaceId("night");

  private static final int WRITERS = 8;
  private static final Duration PATIENCE_BOUND = Duration.ofMinutes(2);
  private static final double MILLIS_PER_SECOND = 1000.0;

  private final DemoReporter stage;
  private final CommandContext commandContext;
  private final StoreConfig config;

  DemoProcessKill(DemoReporter stage, CommandContext commandContext, StoreConfig config) {
    this.stage = stage;
    this.commandContext = commandContext;
    this.config = config;
  }

  /** The text of the turn that a thread of the writing process appends. */
  public static String turnText(int writer, long number) {
    return "Message %2$d of thread %1$d.".formatted(writer, number);
  }

  private record KilledWriter(Collection<String> acknowledged, boolean wasAlive, Duration lasted) {}

  void run(Path directory, int wanted) throws IOException, InterruptedException {
    stage.beginPart("In the night: the process is killed while it writes");
    stage.printText(
        """
        A second process appends messages with %d threads, and prints each one after the store has
        acknowledged it. After %,d of them it gets SIGKILL, which no program can catch."""
            .formatted(WRITERS, wanted));
    FeedCursor before = feedHead();
    KilledWriter killedWriter = writeAndKill(directory, wanted);
    int acknowledged = killedWriter.acknowledged().size();
    stage.printText(
        "  acknowledged before the kill: %,d messages in %.1f s"
            .formatted(acknowledged, killedWriter.lasted().toMillis() / MILLIS_PER_SECOND));
    stage.check("the process was still writing when it was killed", killedWriter.wasAlive());
    stage.check(
        "it had acknowledged at least %,d messages".formatted(wanted), acknowledged >= wanted);
    try (OpenStore store = commandContext.open(config)) {
      long there = store.feed().head(SPACE).sequence() - before.sequence();
      stage.printText(
          "  found after reopening: %,d commits (%,d were committed, but not yet reported)"
              .formatted(there, there - acknowledged));
      stage.check(
          "no acknowledged message is lost", countMissing(store, killedWriter.acknowledged()) == 0);
      stage.check(
          "the feed has every number from %d to %d, once and in order"
              .formatted(before.sequence() + 1, before.sequence() + there),
          hasNoGaps(store, before, there));
    }
  }

  private FeedCursor feedHead() {
    try (OpenStore store = commandContext.open(config)) {
      store.records().createSpace(SPACE);
      return store.feed().head(SPACE);
    }
  }

  private KilledWriter writeAndKill(Path directory, int wanted)
      throws IOException, InterruptedException {
    Instant began = commandContext.environment().clock().instant();
    Process process = startWriter(directory);
    try {
      ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
      CountDownLatch enough = new CountDownLatch(wanted);
      CountDownLatch ended = new CountDownLatch(1);
      Thread reader =
          Thread.ofPlatform()
              .name("caliber-demo-reader")
              .start(
                  () -> {
                    collectAcknowledged(process, acknowledged, enough);
                    ended.countDown();
                    while (enough.getCount() > 0) {
                      enough.countDown(); // the process has ended early: no more lines will come
                    }
                  });
      boolean inTime = enough.await(PATIENCE_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      boolean wasAlive = inTime && process.isAlive() && ended.getCount() > 0;
      Instant killedAt = commandContext.environment().clock().instant();
      kill(process);
      reader.join();
      process.waitFor();
      return new KilledWriter(
          List.copyOf(acknowledged), wasAlive, Duration.between(began, killedAt));
    } finally {
      kill(process);
    }
  }

  /** Kills the process but leaves the pipe open: lines in it were acknowledged, too. */
  private static void kill(Process process) {
    process.toHandle().destroyForcibly();
  }

  /** Starts this program as another process. */
  private static Process startWriter(Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            CaliberCommand.MAIN_CLASS,
            "demo-writer",
            directory.toString(),
            Integer.toString(WRITERS))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Collects whole lines only: the kill may have cut off the last one. */
  private static void collectAcknowledged(
      Process process, Collection<String> acknowledged, CountDownLatch enough) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      StringBuilder line = new StringBuilder();
      for (int next = lines.read(); next >= 0; next = lines.read()) {
        if (next == '\n') {
          acknowledged.add(line.toString().strip());
          line.setLength(0);
          enough.countDown();
        } else {
          line.append((char) next);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long countMissing(OpenStore store, Collection<String> acknowledged) {
    Set<String> missing = new HashSet<>(acknowledged);
    store.records().read(SPACE, snapshot -> removeTexts(snapshot, missing));
    return missing.size();
  }

  private static boolean removeTexts(Snapshot snapshot, Set<String> missing) {
    snapshot.forEach(Query.over(Turn.TABLE), turn -> missing.remove(turn.searchableText()));
    return missing.isEmpty();
  }

  private static boolean hasNoGaps(OpenStore store, FeedCursor before, long wanted) {
    FeedCursor cursor = before;
    long seen = 0;
    while (true) {
      List<Commit> commits = store.feed().read(SPACE, cursor, store.config().feed().pageLimit());
      if (commits.isEmpty()) {
        return seen == wanted;
      }
      for (Commit commit : commits) {
        seen++;
        if (commit.sequence() != before.sequence() + seen) {
          return false;
        }
      }
      cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
    }
  }
}
