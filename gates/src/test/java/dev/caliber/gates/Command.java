package dev.caliber.gates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a program and keeps what it said, both streams together. */
final class Command {
  record Result(int exit, String output) {}

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>();

  private Command(Path directory) {
    this.directory = directory;
  }

  static Command in(Path directory) {
    return new Command(directory);
  }

  Command with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** A program that does not exist is a result too: exit code 127, as a shell has it. */
  Result run(String... command) {
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
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      return new Result(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(
          new IOException("interrupted while waiting for " + command[0], e));
    }
  }
}
