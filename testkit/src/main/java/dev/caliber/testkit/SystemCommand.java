package dev.caliber.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Program of the machine, run to its end. */
public final class SystemCommand {

  private SystemCommand() {}

  /** Runs a program that must succeed; returns its output. */
  public static String run(List<String> command) {
    try {
      Path output = Files.createTempFile("caliber-command", ".log");
      try {
        Process process =
            new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = process.waitFor();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        if (status != 0) {
          throw new IllegalStateException("%s gave %d: %s".formatted(command, status, said));
        }
        return said;
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted in " + command, e);
    }
  }
}
