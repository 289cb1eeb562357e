package dev.caliber.testkit.crash;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Parent's view of the writing process: its reports, and the means to kill it. */
final class DrillProcess implements AutoCloseable {

  private static final Duration SILENCE_BOUND = Duration.ofSeconds(90);

  private final KillableProcess process;
  private final Thread reader;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition heard = lock.newCondition();

  @GuardedBy("lock")
  private final List<Acknowledgement> acknowledged = new ArrayList<>();

  @GuardedBy("lock")
  private final List<String> failures = new ArrayList<>();

  @GuardedBy("lock")
  private final List<String> findings = new ArrayList<>();

  @GuardedBy("lock")
  private boolean ended;

  /** Commit that was acknowledged to the writer as durable. */
  record Acknowledgement(int writer, long counter, long sequence) {}

  /** Reports of a process. */
  record DrillProcessReport(
      List<Acknowledgement> acknowledged, List<String> failures, List<String> findings) {

    /**
     * Returns the report without acknowledgements after the first ones. While a file system is shut
     * down, a flush under way may be told that it has succeeded; without power it would be told
     * nothing.
     */
    DrillProcessReport withAcknowledgementsUntil(int count) {
      return new DrillProcessReport(acknowledged.subList(0, count), failures, findings);
    }
  }

  private DrillProcess(KillableProcess process) {
    this.process = process;
    this.reader = Thread.ofPlatform().name("drill-reader").daemon().unstarted(this::readReports);
  }

  static DrillProcess start(DrillTarget target) {
    DrillProcess started =
        new DrillProcess(
            KillableProcess.start(
                DrillWriterProcess.class, DrillWriterProcess.PREFIX, target.arguments()));
    started.reader.start();
    return started;
  }

  long pid() {
    return process.pid();
  }

  private void readReports() {
    try {
      for (Optional<String> report = process.readLine();
          report.isPresent();
          report = process.readLine()) {
        acceptReport(report.get());
      }
    } catch (UncheckedIOException e) {
      addFinding("The reports broke off: " + e.getMessage());
    } finally {
      markEnded();
    }
  }

  private void acceptReport(String report) {
    String[] words = report.split(" ", 4);
    switch (words[0]) {
      case DrillWriterProcess.ACKNOWLEDGED ->
          addAcknowledgement(
              new Acknowledgement(
                  Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
      case DrillWriterProcess.FAILED -> addFailure(words[3]);
      case DrillWriterProcess.LIE ->
          addFinding("A commit was reported as failed and is there: writer and counter " + report);
      default -> addFinding(report);
    }
  }

  private void addAcknowledgement(Acknowledgement acknowledgement) {
    lock.lock();
    try {
      acknowledged.add(acknowledgement);
      heard.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void addFailure(String report) {
    lock.lock();
    try {
      failures.add(report);
      heard.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void addFinding(String text) {
    lock.lock();
    try {
      findings.add(text);
      heard.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void markEnded() {
    lock.lock();
    try {
      ended = true;
      heard.signalAll();
    } finally {
      lock.unlock();
    }
  }

  int acknowledgements() {
    lock.lock();
    try {
      return acknowledged.size();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until this many commits have been acknowledged. */
  void awaitAcknowledgements(int count) {
    await(() -> acknowledgements() >= count, count + " acknowledgements");
  }

  /** Waits until every writer has got an acknowledgement after the first {@code after}. */
  void awaitEveryWriter(int after) {
    await(() -> writersSince(after) == WriterPlan.WRITERS, "an acknowledgement from every writer");
  }

  private long writersSince(int after) {
    lock.lock();
    try {
      return acknowledged.stream().skip(after).map(Acknowledgement::writer).distinct().count();
    } finally {
      lock.unlock();
    }
  }

  private void await(BooleanSupplier reached, String what) {
    lock.lock();
    try {
      long nanos = SILENCE_BOUND.toNanos();
      while (!reached.getAsBoolean()) {
        if (ended || nanos <= 0) {
          throw new IllegalStateException(
              "Waited for %s, got %d; failures %s; findings %s; it said: %s"
                  .formatted(
                      what,
                      acknowledged.size(),
                      failures.stream().distinct().limit(5).toList(),
                      findings,
                      process.errorText()));
        }
        nanos = heard.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + what, e);
    } finally {
      lock.unlock();
    }
  }

  /** Lets writers whose commit failed retry it. */
  void retryFailedCommits() {
    process.sendLine(DrillWriterProcess.GO);
  }

  /** Sends SIGKILL and returns everything that the process had reported. */
  DrillProcessReport kill() {
    process.kill();
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while killing the writers", e);
    }
    lock.lock();
    try {
      return new DrillProcessReport(
          List.copyOf(acknowledged), List.copyOf(failures), List.copyOf(findings));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    kill();
    process.close();
  }
}
