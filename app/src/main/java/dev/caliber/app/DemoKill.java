package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.StoreConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The demo's fourth part: a process is killed in the middle of writing, and nothing is lost. */
final class DemoKill {
  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final int WRITERS = 8;
  private static final Duration PATIENCE_BOUND = Duration.ofMinutes(2);
  private static final double MILLIS_PER_SECOND = 1000.0;

  private final DemoStage stage;
  private final Workbench workbench;
  private final StoreConfig config;

  DemoKill(DemoStage stage, Workbench workbench, StoreConfig config) {
    this.stage = stage;
    this.workbench = workbench;
    this.config = config;
  }

  /** What the writing process calls a note. */
  static String noteName(int writer, long number) {
    return "writer-%d-note-%d".formatted(writer, number);
  }

  private record Killed(Collection<String> acknowledged, boolean wasAlive, Duration lasted) {}

  void run(Path directory, int wanted) throws IOException, InterruptedException {
    stage.part("A process is killed while it writes");
    stage.say(
        """
        A second process writes notes with %d threads and reports each one that the store has
        acknowledged. After %,d of them it gets SIGKILL, which no program can catch."""
            .formatted(WRITERS, wanted));
    FeedCursor before = head();
    Killed killed = writeAndKill(directory, wanted);
    int acknowledged = killed.acknowledged().size();
    stage.say(
        "  acknowledged before the kill: %,d commits in %.1f s"
            .formatted(acknowledged, killed.lasted().toMillis() / MILLIS_PER_SECOND));
    stage.check("the process was still writing when it was killed", killed.wasAlive());
    stage.check(
        "it had acknowledged at least %,d commits".formatted(wanted), acknowledged >= wanted);
    try (OpenStore store = workbench.open(config)) {
      long there = store.feed().head(SPACE).sequence() - before.sequence();
      stage.say(
          "  found after reopening: %,d commits (%,d were done, but not reported in time)"
              .formatted(there, there - acknowledged));
      stage.check("no acknowledged commit is lost", missing(store, killed.acknowledged()) == 0);
      stage.check(
          "the feed has every number from %d to %d, once and in order"
              .formatted(before.sequence() + 1, before.sequence() + there),
          isWithoutGap(store, before, there));
    }
  }

  private FeedCursor head() {
    try (OpenStore store = workbench.open(config)) {
      return store.feed().head(SPACE);
    }
  }

  private Killed writeAndKill(Path directory, int wanted) throws IOException, InterruptedException {
    Instant began = workbench.surroundings().clock().instant();
    Process process = start(directory);
    try {
      ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
      CountDownLatch enough = new CountDownLatch(wanted);
      CountDownLatch ended = new CountDownLatch(1);
      Thread reader =
          Thread.ofPlatform()
              .name("caliber-demo-reader")
              .start(
                  () -> {
                    collect(process, acknowledged, enough);
                    ended.countDown();
                    while (enough.getCount() > 0) {
                      enough.countDown(); // the process ended early: nothing more will come
                    }
                  });
      boolean inTime = enough.await(PATIENCE_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      boolean wasAlive = inTime && process.isAlive() && ended.getCount() > 0;
      Instant killedAt = workbench.surroundings().clock().instant();
      kill(process);
      reader.join();
      process.waitFor();
      return new Killed(List.copyOf(acknowledged), wasAlive, Duration.between(began, killedAt));
    } finally {
      kill(process);
    }
  }

  /** Through the handle, which leaves the pipe open: what is in it was acknowledged, too. */
  private static void kill(Process process) {
    process.toHandle().destroyForcibly();
  }

  /** This same program, as a process of its own. */
  private static Process start(Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "demo-writer",
            directory.toString(),
            Integer.toString(WRITERS))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Takes whole lines only: the last one may have been cut off by the kill. */
  private static void collect(
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

  private static long missing(OpenStore store, Collection<String> names) {
    return store
        .records()
        .read(
            SPACE,
            snapshot ->
                names.stream()
                    .filter(name -> snapshot.find(DemoTables.NOTES, name).isEmpty())
                    .count());
  }

  private static boolean isWithoutGap(OpenStore store, FeedCursor before, long wanted) {
    FeedCursor cursor = before;
    long seen = 0;
    while (true) {
      List<Commit> commits = store.feed().read(SPACE, cursor, store.config().feed().pageLimit());
      if (commits.isEmpty()) {
        return seen == wanted;
      }
      for (Commit commit : commits) {
        seen++;
        if (commit.sequence() != before.sequence() + seen || commit.changes().size() != 1) {
          return false;
        }
      }
      cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
    }
  }
}
