package dev.caliber.gates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a program and captures its output, both streams together. */
final class ShellCommand {
  record ShellCommandResult(int exit, String output) {}

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>();

  private ShellCommand(Path directory) {
    this.directory = directory;
  }

  static ShellCommand inDirectory(Path directory) {
    return new ShellCommand(directory);
  }

  ShellCommand withVariable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs the command; a missing program is a result too: exit code 127, as in a shell. */
  ShellCommandResult run(String... command) {
    var builder =
        new ProcessBuilder(List.of(command))
            .directory(directory.toFile())
            .redirectErrorStream(true);
    List.of("FUZZ", "FUZZ_RUNS").forEach(builder.environment()::remove);
    builder.environment().putAll(environment);
    try {
      var process = builder.start();
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new ShellCommandResult(process.waitFor(), output);
    } catch (IOException e) {
      return new ShellCommandResult(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(
          new IOException("interrupted while waiting for " + command[0], e));
    }
  }
}
