package dev.caliber.app.shell;

import dev.caliber.app.Main;
import dev.caliber.kernel.RandomSource;
import dev.caliber.testkit.ManualClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;

/** Runs command lines in a directory, in this process or in another one. */
@NullMarked
public final class Shell {
  private static final long SEED = Long.getLong("caliber.seed", 42);

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>();
  private String input = "";
  private Instant now = ManualClock.START;
  private int runs;

  public Shell(Path directory) {
    this.directory = directory;
  }

  /** Result of a command. */
  public record Ran(int code, String out, String err) {}

  Shell with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Sets the text on the standard input of commands. */
  Shell typing(String text) {
    input = text;
    return this;
  }

  /** Sets the clock of commands in this process. */
  Shell at(Instant time) {
    now = time;
    return this;
  }

  public Ran run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = run(out, err, args);
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command with its results written to the stream; returns the exit code. */
  int runInto(OutputStream out, String... args) {
    return run(out, OutputStream.nullOutputStream(), args);
  }

  private int run(OutputStream out, OutputStream err, String... args) {
    Terminal terminal =
        Terminal.of(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    ManualClock clock = new ManualClock();
    clock.set(now);
    return Main.run(
        new ProcessEnvironment(
            terminal, environment, directory, clock, RandomSource.seeded(SEED + runs++)),
        args);
  }

  /** Runs the whole program as a user's shell does. */
  Ran runAsProcess(String... args) throws IOException, InterruptedException {
    Path err = Files.createTempFile(directory, "stderr", ".txt");
    Process process = start(ProcessBuilder.Redirect.to(err.toFile()), args);
    String out;
    try (InputStream stream = process.getInputStream()) {
      out = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    int code = process.waitFor();
    String text = Files.readString(err);
    Files.delete(err);
    return new Ran(code, out, text);
  }

  /** Runs the program with its standard output written to a file or device. */
  Ran runAsProcessInto(Path out, String... args) throws IOException, InterruptedException {
    Path err = Files.createTempFile(directory, "stderr", ".txt");
    int code =
        start(
                ProcessBuilder.Redirect.to(out.toFile()),
                ProcessBuilder.Redirect.to(err.toFile()),
                args)
            .waitFor();
    return new Ran(code, "", Files.readString(err));
  }

  Process start(ProcessBuilder.Redirect err, String... args) {
    return start(ProcessBuilder.Redirect.PIPE, err, args);
  }

  private Process start(ProcessBuilder.Redirect out, ProcessBuilder.Redirect err, String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                Main.class.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out)
            .redirectError(err);
    builder.environment().putAll(environment);
    /*
     * Not on the command line: ONNX Runtime 1.29 dies when that is longer than 4 KiB
     * (docs/models.md).
     */
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
