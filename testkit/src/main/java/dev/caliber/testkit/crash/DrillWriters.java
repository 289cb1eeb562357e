package dev.caliber.testkit.crash;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Seam;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.Transaction;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The process that gets killed: 16 threads that write for ever and report each commit when {@code
 * write} has returned. A writer whose commit failed waits until it is told to go on; the process
 * ends with the one that started it.
 */
@Seam("a process of its own, which needs the real clock and chance")
final class DrillWriters {

  /** Goes in front of every report, so that nothing else is taken for one. */
  static final String PREFIX = "drill ";

  static final String ACKNOWLEDGED = "A";
  static final String FAILED = "F";
  static final String LIE = "L";
  static final String BROKEN = "X";
  static final String GO = "go";

  private final RecordStore store;
  private final long seed;
  private final FileOutputStream out;
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  private DrillWriters(RecordStore store, long seed, FileOutputStream out) {
    this.store = store;
    this.seed = seed;
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    DrillTarget target = DrillTarget.of(arguments);
    RecordStore store = target.open(Clock.systemUTC(), Chance.system());
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      DrillWriters writers = new DrillWriters(store, target.seed(), out);
      Thread.ofPlatform().name("drill-parent").daemon().start(writers::hearParent);
      List<Thread> threads = new ArrayList<>();
      for (int writer = 0; writer < WriterPlan.WRITERS; writer++) {
        store.createSpace(WriterPlan.spaceOf(writer));
      }
      for (int writer = 0; writer < WriterPlan.WRITERS; writer++) {
        int number = writer;
        threads.add(Thread.ofPlatform().name("drill-" + number).start(() -> writers.write(number)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private void hearParent() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new FileInputStream(FileDescriptor.in), StandardCharsets.US_ASCII))) {
      while (in.readLine() != null) {
        mayGoOn.countDown();
      }
    } catch (IOException e) {
      report(BROKEN, String.valueOf(e.getMessage()));
    }
    Runtime.getRuntime().halt(1);
  }

  private void write(int writer) {
    try {
      WriterPlan plan = new WriterPlan(seed, writer);
      plan.skipTo(done(writer));
      while (true) {
        settle(plan.next());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      report(BROKEN, "writer %d ended: %s".formatted(writer, e));
    }
  }

  private long done(int writer) {
    return store.read(
        WriterPlan.spaceOf(writer),
        s -> s.find(Mark.MARKS, Mark.headOf(writer)).map(Mark::counter).orElse(0L));
  }

  /** Tries until the step is known to be committed. */
  private void settle(Step step) throws InterruptedException {
    boolean certain = true;
    while (true) {
      try {
        SpaceId space = WriterPlan.spaceOf(step.writer());
        Attempt attempt = store.write(space, transaction -> attempt(transaction, step));
        if (attempt.wasThere && certain) {
          report(LIE, "%d %d".formatted(step.writer(), step.counter()));
        }
        report(ACKNOWLEDGED, "%d %d %d".formatted(step.writer(), step.counter(), attempt.sequence));
        return;
      } catch (CaliberException e) {
        certain = certain && e.code() != StoreErrorCode.COMMIT_UNKNOWN;
        report(
            FAILED,
            "%d %d %s".formatted(step.writer(), step.counter(), e.report().replace('\n', '|')));
        mayGoOn.await();
      }
    }
  }

  private record Attempt(long sequence, boolean wasThere) {}

  private static Attempt attempt(Transaction transaction, Step step) {
    var head = transaction.row(Mark.MARKS, Mark.headOf(step.writer()));
    if (head.isPresent() && head.get().record().counter() == step.counter()) {
      return new Attempt(head.get().revision(), true);
    }
    step.apply(transaction);
    return new Attempt(transaction.revision(), false);
  }

  /** One system call for each line, so that a kill cannot cut an acknowledgement in two. */
  private void report(String kind, String text) {
    try {
      out.write((PREFIX + kind + " " + text + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      Runtime.getRuntime().halt(1);
    }
  }
}
