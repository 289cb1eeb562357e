package dev.caliber.app;

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
 * An embedded store that a command makes only in order to fill it, and takes away again when the
 * filling was refused.
 *
 * @param missing the directories that were not there before, innermost first
 */
record FreshStore(Path directory, List<Path> missing) {
  private static final String LOCK_FILE = "caliber.lock";
  private static final List<String> FILES =
      List.of(Workbench.STORE_FILE, Workbench.STORE_FILE + "-wal", Workbench.STORE_FILE + "-shm");

  /** Asked before opening; empty if there is a store already, or none in a directory. */
  static Optional<FreshStore> at(StoreConfig config) {
    if (!(config.engine() instanceof StoreConfig.Sqlite sqlite)
        || Files.exists(sqlite.directory().resolve(Workbench.STORE_FILE))) {
      return Optional.empty();
    }
    List<Path> missing = new ArrayList<>();
    Path directory = sqlite.directory().toAbsolutePath().normalize();
    for (Path place = directory;
        place != null && Files.notExists(place);
        place = place.getParent()) {
      missing.add(place);
    }
    return Optional.of(new FreshStore(directory, missing));
  }

  /** Whether nobody has put anything in: asked while it is open, when nobody else can. */
  static boolean isUnused(OpenStore store) {
    Set<SpaceId> spaces = Set.copyOf(store.records().spaces());
    return spaces.stream().allMatch(space -> isUnused(store, space));
  }

  private static boolean isUnused(OpenStore store, SpaceId space) {
    return space.equals(SpaceId.DEFAULT) && store.feed().head(space).sequence() == 0;
  }

  /** Removes the closed store, unless another process has taken it meanwhile. */
  void remove() throws IOException {
    Path lockFile = directory.resolve(LOCK_FILE);
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return;
      }
      removeFiles();
      Files.delete(lockFile); // the last one: until here it keeps others out
    }
    removeDirectories();
  }

  private void removeFiles() throws IOException {
    for (String name : FILES) {
      Files.deleteIfExists(directory.resolve(name));
    }
  }

  private void removeDirectories() throws IOException {
    for (Path made : missing) {
      Files.delete(made);
    }
  }
}
