package dev.caliber.store.jdbc.sqlite;

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
 * Access check that keeps other users of the machine out of an embedded store's directory. Files
 * that an older version left readable are restricted when the store is opened, with a line in the
 * log.
 */
public final class DirectoryPermissions {

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryPermissions.class);

  /**
   * Directories that a store and its server create beside the store's file; all others are left
   * alone.
   */
  private static final Set<String> OWN = Set.of("search", "demo");

  private static final List<String> OWN_PREFIXES =
      List.of("caliber.db", "caliber.lock", "webhook.key", "server.");

  private DirectoryPermissions() {}

  /** Restricts the directory. Called while it is locked, before its store is opened. */
  static void restrict(Path directory) {
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
            restrict(entry, name.equals(SqliteEngine.FILE_NAME));
          }
        }
      }
      if (foreign.isEmpty()) {
        restrict(directory, used);
      } else if (PrivateFiles.isAccessibleToOthers(directory)) {
        LOG.warn(
            "Other users of this machine may list {}. Its permissions were not changed, because"
                + " it holds '{}', which does not belong to the store. Other users cannot read the files of the store itself. Give the store a directory of its own.",
            directory,
            foreign.getFirst().getFileName());
      }
    } catch (IOException e) {
      LOG.warn("The permissions of {} cannot be read: {}", directory, e.getMessage());
    }
  }

  private static void restrict(Path path, boolean isTold) {
    try {
      if (!PrivateFiles.isAccessibleToOthers(path)) {
        return;
      }
      PrivateFiles.restrictToOwner(path);
      if (isTold) {
        LOG.warn("Other users of this machine could read {}; now only its owner can.", path);
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

  /** Returns the files and directories of a store that other users may read, for the doctor. */
  public static List<Path> accessibleToOthers(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String name : List.of("", SqliteEngine.FILE_NAME, SqliteEngine.FILE_NAME + "-wal")) {
      Path path = name.isEmpty() ? directory : directory.resolve(name);
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
          && PrivateFiles.isAccessibleToOthers(path)) {
        found.add(path);
      }
    }
    return found;
  }

  private static boolean isOwn(String name) {
    return OWN.contains(name) || OWN_PREFIXES.stream().anyMatch(name::startsWith);
  }
}
