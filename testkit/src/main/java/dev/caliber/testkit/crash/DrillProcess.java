package dev.caliber.testkit.crash;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The writing process as its parent sees it: what it has reported, and how it is killed. */
final class DrillProcess implements AutoCloseable {

  private static final Duration SILENCE_BOUND = Duration.ofSeconds(90);

  private final Process process;
  private final Path errors;
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

  /** A commit that the writer was told is durable. */
  record Acknowledgement(int writer, long counter, long sequence) {}

  /** What a process has reported in its life. */
  record Heard(List<Acknowledgement> acknowledged, List<String> failures, List<String> findings) {}

  private DrillProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.reader = Thread.ofPlatform().name("drill-reader").daemon().unstarted(this::read);
  }

  static DrillProcess start(DrillTarget target) {
    try {
      Path errors = Files.createTempFile("caliber-drill", ".log");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-Xmx512m",
              // Log lines would go where the acknowledgements go.
              "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
              "-cp",
              System.getProperty("java.class.path"),
              DrillWriters.class.getName()));
      command.addAll(target.arguments());
      DrillProcess started =
          new DrillProcess(
              new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
      started.reader.start();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  private void read() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      String line = in.readLine();
      while (line != null) {
        if (line.startsWith(DrillWriters.PREFIX)) {
          take(line.substring(DrillWriters.PREFIX.length()));
        }
        line = in.readLine();
      }
    } catch (IOException e) {
      finding("The reports broke off: " + e.getMessage());
    } finally {
      end();
    }
  }

  private void take(String report) {
    String[] words = report.split(" ", 4);
    switch (words[0]) {
      case DrillWriters.ACKNOWLEDGED ->
          acknowledge(
              new Acknowledgement(
                  Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
      case DrillWriters.FAILED -> fail(words[3]);
      case DrillWriters.LIE ->
          finding("A commit was reported as failed and is there: writer and counter " + report);
      default -> finding(report);
    }
  }

  private void acknowledge(Acknowledgement acknowledgement) {
    lock.lock();
    try {
      acknowledged.add(acknowledgement);
      heard.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void fail(String report) {
    lock.lock();
    try {
      failures.add(report);
      heard.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void finding(String text) {
    lock.lock();
    try {
      findings.add(text);
      heard.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
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

  /** Waits until every writer has got an acknowledgement behind the first {@code after}. */
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
                      Files.readString(errors)));
        }
        nanos = heard.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + what, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Lets writers whose commit failed try again. */
  void goOn() {
    try {
      OutputStream in = process.getOutputStream();
      in.write((DrillWriters.GO + "\n").getBytes(StandardCharsets.US_ASCII));
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * SIGKILL, then everything that it had reported. The handle is used because {@code
   * Process.destroyForcibly} would close the pipe and lose the last reports.
   */
  Heard kill() {
    process.toHandle().destroyForcibly();
    try {
      process.waitFor();
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while killing the writers", e);
    }
    lock.lock();
    try {
      return new Heard(List.copyOf(acknowledged), List.copyOf(failures), List.copyOf(findings));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    kill();
    try {
      Files.deleteIfExists(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
