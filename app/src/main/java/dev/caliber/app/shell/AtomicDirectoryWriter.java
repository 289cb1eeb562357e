package dev.caliber.app.shell;

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

/** Writes a directory that appears under its name only when all of its files are complete. */
public final class AtomicDirectoryWriter {
  private static final String UNFINISHED = ".partial";

  private AtomicDirectoryWriter() {}

  /**
   * Writes the files to their relative paths; after a failure, nothing of this run is left.
   *
   * @param programs the files to make executable
   */
  public static void write(Path target, Map<String, byte[]> files, Set<String> programs)
      throws IOException {
    Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
    createPartial(unfinished);
    try {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path path = unfinished.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.write(path, file.getValue());
        if (programs.contains(file.getKey()) && !path.toFile().setExecutable(true, false)) {
          throw new IOException("cannot be made executable: " + path);
        }
      }
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (Throwable e) {
      removePartial(unfinished, e);
      throw e;
    }
  }

  /** Removes the files of a failed run; adds further errors to {@code reason} as suppressed. */
  public static void removePartial(Path directory, Throwable reason) {
    try (Stream<Path> paths = Files.walk(directory)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  private static void createPartial(Path unfinished) throws IOException {
    try {
      Files.createDirectory(unfinished);
    } catch (FileAlreadyExistsException _) {
      throw AppException.fileExists(
          unfinished,
          "Another command may be writing it. If none is, move it away. It was not changed.");
    }
  }
}
