package dev.caliber.app;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A directory that appears under its name only when all of its files are in it. */
final class NewDirectory {
  private static final String UNFINISHED = ".partial";

  private NewDirectory() {}

  /**
   * Writes the files, by their relative paths; a failure leaves nothing of this run.
   *
   * @param programs the files that can be run
   */
  static void write(Path target, Map<String, byte[]> files, Set<String> programs)
      throws IOException {
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    create(unfinished);
    try {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path path = unfinished.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.write(path, file.getValue());
        if (programs.contains(file.getKey()) && !path.toFile().setExecutable(true, false)) {
          throw new IOException("cannot be made a program: " + path);
        }
      }
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (Throwable e) {
      remove(unfinished, e);
      throw e;
    }
  }

  /** Removes what a failed run has made; what else goes wrong is kept with the reason. */
  static void remove(Path directory, Throwable reason) {
    try (Stream<Path> paths = Files.walk(directory)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  private static void create(Path unfinished) throws IOException {
    try {
      Files.createDirectory(unfinished);
    } catch (FileAlreadyExistsException _) {
      throw AppException.fileExists(
          unfinished,
          "Another command may be writing it; if none is, move it away. It was not touched.");
    }
  }
}
