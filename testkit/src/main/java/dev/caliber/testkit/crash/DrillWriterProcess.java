package dev.caliber.testkit.crash;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.SystemAccess;
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
 * Process that is killed: 16 threads that write for ever and report each commit when {@code write}
 * has returned. A writer whose commit failed waits until the parent lets it continue; the process
 * ends with its parent.
 */
@SystemAccess("a process of its own, which needs the real clock and chance")
final class DrillWriterProcess {

  /** Prefix of every report, so that no other output is taken for one. */
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

  private DrillWriterProcess(RecordStore store, long seed, FileOutputStream out) {
    this.store = store;
    this.seed = seed;
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    DrillTarget target = DrillTarget.parse(arguments);
    RecordStore store = target.open(Clock.systemUTC(), RandomSource.system());
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      DrillWriterProcess writers = new DrillWriterProcess(store, target.seed(), out);
      Thread.ofPlatform().name("drill-parent").daemon().start(writers::readParentCommands);
      List<Thread> threads = new ArrayList<>();
      for (int writer = 0; writer < WriterPlan.WRITERS; writer++) {
        store.createSpace(WriterPlan.spaceOf(writer));
      }
      for (int writer = 0; writer < WriterPlan.WRITERS; writer++) {
        int number = writer;
        threads.add(
            Thread.ofPlatform().name("drill-" + number).start(() -> writers.writeForever(number)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private void readParentCommands() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new FileInputStream(FileDescriptor.in), StandardCharsets.US_ASCII))) {
      while (in.readLine() != null) {
        mayGoOn.countDown();
      }
    } catch (IOException e) {
      printReport(BROKEN, String.valueOf(e.getMessage()));
    }
    Runtime.getRuntime().halt(1);
  }

  private void writeForever(int writer) {
    try {
      WriterPlan plan = new WriterPlan(seed, writer);
      plan.skipTo(committedSteps(writer));
      while (true) {
        commitStep(plan.nextStep());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      printReport(BROKEN, "writer %d ended: %s".formatted(writer, e));
    }
  }

  private long committedSteps(int writer) {
    return store.read(
        WriterPlan.spaceOf(writer),
        s ->
            s.find(DrillRecord.MARKS, DrillRecord.headIdOf(writer))
                .map(DrillRecord::counter)
                .orElse(0L));
  }

  /** Tries until the step is known to be committed. */
  private void commitStep(DrillStep drillStep) throws InterruptedException {
    boolean certain = true;
    while (true) {
      try {
        SpaceId space = WriterPlan.spaceOf(drillStep.writer());
        StepAttempt stepAttempt =
            store.write(space, transaction -> attemptStep(transaction, drillStep));
        if (stepAttempt.wasThere && certain) {
          printReport(LIE, "%d %d".formatted(drillStep.writer(), drillStep.counter()));
        }
        printReport(
            ACKNOWLEDGED,
            "%d %d %d".formatted(drillStep.writer(), drillStep.counter(), stepAttempt.sequence));
        return;
      } catch (CaliberException e) {
        certain = certain && e.code() != StoreErrorCode.COMMIT_OUTCOME_UNKNOWN;
        printReport(
            FAILED,
            "%d %d %s"
                .formatted(drillStep.writer(), drillStep.counter(), e.toLine().replace('\n', '|')));
        mayGoOn.await();
      }
    }
  }

  private record StepAttempt(long sequence, boolean wasThere) {}

  private static StepAttempt attemptStep(Transaction transaction, DrillStep drillStep) {
    var head = transaction.row(DrillRecord.MARKS, DrillRecord.headIdOf(drillStep.writer()));
    if (head.isPresent() && head.get().record().counter() == drillStep.counter()) {
      return new StepAttempt(head.get().revision(), true);
    }
    drillStep.apply(transaction);
    return new StepAttempt(transaction.revision(), false);
  }

  /** Prints each line with one system call, so that a kill cannot cut an acknowledgement in two. */
  private void printReport(String kind, String text) {
    try {
      out.write((PREFIX + kind + " " + text + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      Runtime.getRuntime().halt(1);
    }
  }
}
