package dev.caliber.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Node project beside the tests, with the packages of its {@code package.json}: fetched once by npm
 * into a persistent directory. Tests that use one carry the tag {@code node}.
 */
public final class NpmProject {
  private static final String PACKAGES = "package.json";

  private final Path directory;

  private NpmProject(Path directory) {
    this.directory = directory;
  }

  /** Prepares the project in the sources to run in the other directory. */
  public static NpmProject prepare(Path sources, Path directory) {
    try {
      Files.createDirectories(directory);
      try (FileChannel channel =
              FileChannel.open(
                  directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        installPackages(sources, directory);
        copy(sources, directory);
      }
      return new NpmProject(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Installs the packages once: the list of packages is copied last, when all of them are
   * installed.
   */
  private static void installPackages(Path sources, Path directory) throws IOException {
    Path wanted = sources.resolve(PACKAGES);
    Path fetched = directory.resolve("fetched-" + PACKAGES);
    if (Files.exists(fetched) && Files.mismatch(wanted, fetched) < 0) {
      return;
    }
    Files.copy(wanted, directory.resolve(PACKAGES), StandardCopyOption.REPLACE_EXISTING);
    SystemCommand.run(
        List.of(
            "npm",
            "install",
            "--prefix",
            directory.toString(),
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--ignore-scripts"));
    Files.copy(wanted, fetched, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void copy(Path sources, Path directory) throws IOException {
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.toList()) {
        Files.copy(
            file, directory.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Runs a script that must succeed; returns its output. */
  public String runScript(String script, String... arguments) {
    List<String> command = new ArrayList<>(List.of("node", directory.resolve(script).toString()));
    command.addAll(List.of(arguments));
    return SystemCommand.run(command);
  }
}
