package dev.caliber.testkit.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A JVM on this class path that prints lines with a prefix, and is killed while it works. */
public final class KillableProcess implements AutoCloseable {

  private final Process process;
  private final Path errors;
  private final String prefix;
  private final BufferedReader lines;

  private KillableProcess(Process process, Path errors, String prefix) {
    this.process = process;
    this.errors = errors;
    this.prefix = prefix;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts a main class; its lines without the prefix are ignored. */
  public static KillableProcess start(Class<?> main, String prefix, List<String> arguments) {
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
              // Otherwise log lines would mix with the reports.
              "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
              "-cp",
              System.getProperty("java.class.path"),
              main.getName()));
      command.addAll(arguments);
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      return new KillableProcess(process, errors, prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  /** Returns the next line without its prefix; empty if the process has ended. */
  public Optional<String> readLine() {
    try {
      String line = lines.readLine();
      while (line != null && !line.startsWith(prefix)) {
        line = lines.readLine();
      }
      return Optional.ofNullable(line).map(text -> text.substring(prefix.length()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the next line of a process that has to be alive. */
  public String nextLine() {
    return readLine()
        .orElseThrow(
            () -> new IllegalStateException("The process ended by itself: " + errorText()));
  }

  /** Returns what the process has written to its standard error. */
  public String errorText() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void sendLine(String line) {
    try {
      OutputStream in = process.getOutputStream();
      in.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends SIGKILL. The handle is used because {@code Process.destroyForcibly} would close the pipe
   * and lose the last lines, which can still be read.
   */
  public void kill() {
    process.toHandle().destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while killing a process", e);
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
