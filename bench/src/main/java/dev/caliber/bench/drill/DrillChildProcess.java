package dev.caliber.bench.drill;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The worker process as its parent sees it. */
final class DrillChildProcess implements AutoCloseable {
  private final Process process;
  private final Path errors;
  private final BufferedReader reports;
  private final List<String> heard = new ArrayList<>();

  private DrillChildProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.reports = process.inputReader(StandardCharsets.US_ASCII);
  }

  static DrillChildProcess start(MemoryDrillTarget place, Class<?> worker, HoldPoint point) {
    try {
      Path errors = Files.createTempFile("caliber-memory-drill", ".log");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-Xmx256m",
              // Log lines would be mixed with the reports.
              "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
              "-cp",
              System.getProperty("java.class.path"),
              worker.getName()));
      command.addAll(place.arguments());
      command.addAll(point.arguments());
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      return new DrillChildProcess(process, errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads this number of reports, then kills at once, and returns all reports. */
  List<String> killAfter(int count) {
    return killWhen(() -> heard.size() >= count);
  }

  /** Kills when the worker stands at its hold point. */
  List<String> killAtHoldPoint() {
    return killWhen(() -> !heard.isEmpty() && heard.getLast().startsWith(DrillWorker.HELD));
  }

  private List<String> killWhen(BooleanSupplier due) {
    try {
      while (!due.getAsBoolean()) {
        acceptLine(nextReport());
      }
      process.toHandle().destroyForcibly();
      String line = reports.readLine();
      while (line != null) {
        acceptLine(line);
        line = reports.readLine();
      }
      process.waitFor();
      return List.copyOf(heard);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while killing the worker", e);
    }
  }

  private String nextReport() throws IOException {
    String line = reports.readLine();
    if (line == null) {
      throw new IllegalStateException("The worker ended by itself: " + Files.readString(errors));
    }
    return line;
  }

  private void acceptLine(String line) {
    if (line.startsWith(DrillWorker.PREFIX)) {
      heard.add(line.substring(DrillWorker.PREFIX.length()));
    }
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
    try {
      Files.deleteIfExists(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
