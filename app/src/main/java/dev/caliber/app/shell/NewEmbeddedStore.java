package dev.caliber.app.shell;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An embedded store that a command creates only to fill it, and removes if the work is refused.
 *
 * @param missingDirectories the directories that did not exist before, innermost first
 */
record NewEmbeddedStore(Path directory, List<Path> missingDirectories) {
  private static final String LOCK_FILE = "caliber.lock";
  private static final List<String> FILES =
      List.of(
          CommandContext.STORE_FILE,
          CommandContext.STORE_FILE + "-wal",
          CommandContext.STORE_FILE + "-shm");

  /** Returns a fresh store if none exists in the directory yet; empty for other engines. */
  static Optional<NewEmbeddedStore> ifMissing(StoreConfig config) {
    if (!(config.engine() instanceof StoreConfig.SqliteSettings sqliteSettings)
        || Files.exists(sqliteSettings.directory().resolve(CommandContext.STORE_FILE))) {
      return Optional.empty();
    }
    List<Path> missing = new ArrayList<>();
    Path directory = sqliteSettings.directory().toAbsolutePath().normalize();
    for (Path place = directory;
        place != null && Files.notExists(place);
        place = place.getParent()) {
      missing.add(place);
    }
    return Optional.of(new NewEmbeddedStore(directory, missing));
  }

  /** Returns whether the store is empty; call it while this process holds the store. */
  static boolean isUnused(OpenStore store) {
    Set<SpaceId> spaces = Set.copyOf(store.records().spaces());
    return spaces.stream().allMatch(space -> isUnused(store, space));
  }

  private static boolean isUnused(OpenStore store, SpaceId space) {
    return space.equals(SpaceId.DEFAULT) && store.feed().head(space).sequence() == 0;
  }

  /** Removes the closed store, unless another process has opened it meanwhile. */
  void remove() throws IOException {
    Path lockFile = directory.resolve(LOCK_FILE);
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return;
      }
      removeFiles();
      Files.delete(lockFile); // last, because it keeps other processes out until here
    }
    removeDirectories();
  }

  private void removeFiles() throws IOException {
    for (String name : FILES) {
      Files.deleteIfExists(directory.resolve(name));
    }
  }

  private void removeDirectories() throws IOException {
    for (Path made : missingDirectories) {
      Files.delete(made);
    }
  }
}
