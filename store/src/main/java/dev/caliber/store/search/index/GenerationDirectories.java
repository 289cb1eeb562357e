package dev.caliber.store.search.index;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.PrivateFiles;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.format.IndexFormatV1;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.IndexState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Directories of one space's generations; damaged ones are removed. */
final class GenerationDirectories {

  private static final Logger LOG = LoggerFactory.getLogger(GenerationDirectories.class);
  private static final int NUMBER = 6;
  private static final Pattern OURS = Pattern.compile("[0-9]{6}-[0-9a-f]{12}");

  private final SpaceIndexDependencies spaceIndexDependencies;
  private final SpaceId space;
  private final Optional<Path> home;
  private int last;
  private @Nullable Lock lock;

  GenerationDirectories(SpaceIndexDependencies spaceIndexDependencies, SpaceId space) {
    this.spaceIndexDependencies = spaceIndexDependencies;
    this.space = space;
    this.home = spaceIndexDependencies.directory().map(place -> place.resolve(space.value()));
  }

  /** Returns the follower name under which the feed is retained for this directory. */
  String followerName() throws IOException {
    String fresh = "search-" + spaceIndexDependencies.ids().next();
    if (home.isEmpty()) {
      return fresh;
    }
    Path file = home.get().resolve(IndexFormatV1.FOLLOWER_FILE);
    String kept = Files.exists(file) ? Files.readString(file).strip() : "";
    if (kept.isEmpty()) { // a crash may leave the file without its text
      PrivateFiles.createDirectories(home.get());
      Files.writeString(file, fresh);
    }
    return kept.isEmpty() ? fresh : kept;
  }

  /**
   * Opens the undamaged generations, the oldest first, and locks the directory until it is closed.
   */
  List<Generation> open() throws IOException {
    lock();
    List<Generation> found = new ArrayList<>();
    try {
      for (Path directory : ownDirectories()) {
        open(directory).ifPresent(found::add);
      }
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileSuppressingExceptions(e, found);
      throw e;
    }
    return found;
  }

  /** Locks the space's directory as a whole, before it is read. */
  private void lock() throws IOException {
    if (home.isEmpty() || lock != null) {
      return;
    }
    PrivateFiles.createDirectories(home.get());
    if (PrivateFiles.isAccessibleToOthers(home.get())) {
      LOG.warn("Other users of this machine could read {}; now only its owner can.", home.get());
      PrivateFiles.restrictToOwner(home.get());
    }
    FSDirectory directory = FSDirectory.open(home.get());
    try {
      lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME);
    } catch (LockObtainFailedException e) {
      throw SearchException.inUse(home.get(), e);
    }
  }

  /** Returns the directories created by this class; all others beside them are ignored. */
  private List<Path> ownDirectories() throws IOException {
    return home.isEmpty()
        ? List.of()
        : IndexFiles.children(home.get()).stream()
            .filter(path -> OURS.matcher(String.valueOf(path.getFileName())).matches())
            .filter(Files::isDirectory)
            .toList();
  }

  /** Opens a generation. A damaged one is removed; after a temporary failure it is kept. */
  private Optional<Generation> open(Path directory) throws IOException {
    last = Math.max(last, number(directory));
    try {
      Optional<Generation> opened = openIfCommitted(directory);
      if (opened.isEmpty()) {
        IndexFiles.deleteAll(directory);
      }
      return opened;
    } catch (LockObtainFailedException e) {
      throw SearchException.inUse(directory, e);
    } catch (IOException | CaliberException | IllegalArgumentException e) {
      if (e instanceof IOException io && !CorruptionDetector.isCorruption(io)) {
        throw io;
      }
      LOG.warn(
          "The search index in {} is damaged and will be rebuilt. Cause: {}",
          directory,
          e.getMessage());
      IndexFiles.deleteAll(directory);
      return Optional.empty();
    }
  }

  private static int number(Path directory) {
    return Integer.parseInt(String.valueOf(directory.getFileName()).substring(0, NUMBER));
  }

  /** Opens a generation; empty if it has no commit. */
  private Optional<Generation> openIfCommitted(Path directory) throws IOException {
    IndexRecipe recipe =
        Json.read(
            Files.readAllBytes(directory.resolve(IndexFormatV1.META_FILE)), IndexRecipe.class);
    Directory files = FSDirectory.open(directory);
    try {
      Optional<IndexState> state = check(files, directory);
      if (state.isEmpty()) {
        files.close();
        return Optional.empty();
      }
      return Optional.of(
          new Generation(
              new Generation.OpenedIndexGeneration(
                  String.valueOf(directory.getFileName()),
                  recipe,
                  Optional.of(directory),
                  files,
                  state.get()),
              spaceIndexDependencies));
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  /** Verifies the files: every byte after a crash, nothing after a clean close. */
  private static Optional<IndexState> check(Directory files, Path directory) throws IOException {
    boolean clean = Files.deleteIfExists(directory.resolve(IndexFormatV1.CLEAN_FILE));
    if (!DirectoryReader.indexExists(files)) {
      return Optional.empty();
    }
    try (DirectoryReader reader = DirectoryReader.open(files)) {
      if (!clean) {
        for (LeafReaderContext leaf : reader.leaves()) {
          leaf.reader().checkIntegrity();
        }
      }
      return IndexState.fromUserData(reader.getIndexCommit().getUserData());
    }
  }

  Generation create(IndexRecipe recipe, IndexState state) throws IOException {
    last++;
    String name = "%06d-%s".formatted(last, recipe.fingerprint());
    Optional<Path> directory = home.map(parent -> parent.resolve(name));
    Directory files = directory.isPresent() ? createDirectory(directory.get(), recipe) : inMemory();
    Generation made =
        new Generation(
            new Generation.OpenedIndexGeneration(name, recipe, directory, files, state),
            spaceIndexDependencies);
    LOG.info("Building index {} of space {}", name, space);
    return made;
  }

  private static Directory inMemory() {
    return new ByteBuffersDirectory();
  }

  private static Directory createDirectory(Path directory, IndexRecipe recipe) throws IOException {
    PrivateFiles.createDirectories(directory);
    Files.write(directory.resolve(IndexFormatV1.META_FILE), Json.bytes(recipe));
    return FSDirectory.open(directory);
  }

  /** Deletes the generation. */
  void remove(Generation generation) throws IOException {
    try {
      generation.closeWithoutCommit();
    } finally {
      if (generation.path().isPresent()) {
        IndexFiles.deleteAll(generation.path().get());
      }
    }
  }

  /**
   * Closes a generation and keeps it; one that could not be read is marked to be verified before
   * its next use.
   */
  static void close(Generation generation) throws IOException {
    generation.close();
    if (generation.path().isPresent() && !generation.isSuspect()) {
      Files.writeString(generation.path().get().resolve(IndexFormatV1.CLEAN_FILE), "");
    }
  }

  /** Unlocks the directory for other processes. */
  void close() {
    IOUtils.closeWhileHandlingException(lock);
    lock = null;
  }
}
