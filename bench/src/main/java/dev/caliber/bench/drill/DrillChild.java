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

/** The working process as its parent sees it. */
final class DrillChild implements AutoCloseable {
  private final Process process;
  private final Path errors;
  private final BufferedReader reports;
  private final List<String> heard = new ArrayList<>();

  private DrillChild(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.reports = process.inputReader(StandardCharsets.US_ASCII);
  }

  static DrillChild start(DrillPlace place, Class<?> worker) {
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
              // Log lines would go where the reports go.
              "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
              "-cp",
              System.getProperty("java.class.path"),
              worker.getName()));
      command.addAll(place.arguments());
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      return new DrillChild(process, errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads so many reports, then kills at once, and returns all that it had reported. */
  List<String> killAfter(int count) {
    return killOnce(() -> heard.size() >= count);
  }

  /** The same so many reports after a word was heard for the nth time. */
  List<String> killAfter(String word, int times, int reports) {
    return killOnce(
        () ->
            heard.size() > reports
                && heard.subList(0, heard.size() - reports).stream()
                        .filter(report -> report.startsWith(word + " "))
                        .count()
                    >= times);
  }

  private List<String> killOnce(BooleanSupplier due) {
    try {
      while (!due.getAsBoolean()) {
        hear(next());
      }
      process.toHandle().destroyForcibly();
      String line = reports.readLine();
      while (line != null) {
        hear(line);
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

  private String next() throws IOException {
    String line = reports.readLine();
    if (line == null) {
      throw new IllegalStateException("The worker ended by itself: " + Files.readString(errors));
    }
    return line;
  }

  private void hear(String line) {
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
