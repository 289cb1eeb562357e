package dev.caliber.store;

import dev.caliber.kernel.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps other users of the machine out of an embedded store's directory. What an older version made
 * readable for them is closed when the store is opened, with a line in the log.
 */
final class DataDirectory {

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

  /** Files and directories that a store and its server make; anything else is not ours. */
  private static final Set<String> OWN = Set.of("search", "demo");

  private static final List<String> OWN_PREFIXES =
      List.of("caliber.db", "caliber.lock", "caliber.key", "server.");

  private DataDirectory() {}

  /** Called while the directory is locked, before its store is opened. */
  static void close(Path directory) {
    try {
      List<Path> foreign = new ArrayList<>();
      boolean used = false;
      try (Stream<Path> entries = Files.list(directory)) {
        for (Path entry : entries.toList()) {
          String name = String.valueOf(entry.getFileName());
          if (!isOwn(name)) {
            foreign.add(entry);
          } else if (!Files.isSymbolicLink(entry)) {
            used |= name.equals(SqliteEngine.FILE_NAME);
            close(entry, name.equals(SqliteEngine.FILE_NAME));
          }
        }
      }
      if (foreign.isEmpty()) {
        close(directory, used);
      } else if (PrivateFiles.isOpenToOthers(directory)) {
        LOG.warn(
            "Other users of this machine may look into {}. Its permissions were left alone, because"
                + " it holds '{}', which is not the store's. The store's own files are closed to"
                + " them. Give the store a directory of its own.",
            directory,
            foreign.getFirst().getFileName());
      }
    } catch (IOException e) {
      LOG.warn("Whether other users may read {} is unknown: {}", directory, e.getMessage());
    }
  }

  private static void close(Path path, boolean isTold) {
    try {
      if (!PrivateFiles.isOpenToOthers(path)) {
        return;
      }
      PrivateFiles.close(path);
      if (isTold) {
        LOG.warn("Other users of this machine could read {}. Now only its owner can.", path);
      }
    } catch (IOException e) {
      LOG.warn(
          "Other users of this machine may read {}, and its permissions cannot be changed ({})."
              + " Let its owner run 'chmod go= {}'.",
          path,
          e.getClass().getSimpleName(),
          path);
    }
  }

  /** What other users may read of a store, for the doctor. */
  static List<Path> openToOthers(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String name : List.of("", SqliteEngine.FILE_NAME, SqliteEngine.FILE_NAME + "-wal")) {
      Path path = name.isEmpty() ? directory : directory.resolve(name);
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && PrivateFiles.isOpenToOthers(path)) {
        found.add(path);
      }
    }
    return found;
  }

  private static boolean isOwn(String name) {
    return OWN.contains(name) || OWN_PREFIXES.stream().anyMatch(name::startsWith);
  }
}
