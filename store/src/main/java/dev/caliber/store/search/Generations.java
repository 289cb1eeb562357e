package dev.caliber.store.search;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.PrivateFiles;
import dev.caliber.kernel.SpaceId;
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

/** The directories of one space, one for each generation; those that are damaged are removed. */
final class Generations {

  private static final Logger LOG = LoggerFactory.getLogger(Generations.class);
  private static final int NUMBER = 6;
  private static final Pattern OURS = Pattern.compile("[0-9]{6}-[0-9a-f]{12}");

  private final Machinery machinery;
  private final SpaceId space;
  private final Optional<Path> home;
  private int last;
  private @Nullable Lock lock;

  Generations(Machinery machinery, SpaceId space) {
    this.machinery = machinery;
    this.space = space;
    this.home = machinery.place().map(place -> place.resolve(space.value()));
  }

  /** The name under which the feed is kept for this directory. */
  String follower() throws IOException {
    String fresh = "search-" + machinery.ids().next();
    if (home.isEmpty()) {
      return fresh;
    }
    Path file = home.get().resolve(IndexFormatV1.FOLLOWER_FILE);
    String kept = Files.exists(file) ? Files.readString(file).strip() : "";
    if (kept.isEmpty()) { // a crash may leave the file and not its text
      PrivateFiles.createDirectories(home.get());
      Files.writeString(file, fresh);
    }
    return kept.isEmpty() ? fresh : kept;
  }

  /** What is there and good, the oldest first; nobody else can open them until it is closed. */
  List<Generation> open() throws IOException {
    lock();
    List<Generation> found = new ArrayList<>();
    try {
      for (Path directory : ours()) {
        open(directory).ifPresent(found::add);
      }
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileSuppressingExceptions(e, found);
      throw e;
    }
    return found;
  }

  /** A process takes a space's directory as a whole, before it looks into it. */
  private void lock() throws IOException {
    if (home.isEmpty() || lock != null) {
      return;
    }
    PrivateFiles.createDirectories(home.get());
    if (PrivateFiles.isOpenToOthers(home.get())) {
      LOG.warn("Other users of this machine could read {}. Now only its owner can.", home.get());
      PrivateFiles.close(home.get());
    }
    FSDirectory directory = FSDirectory.open(home.get());
    try {
      lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME);
    } catch (LockObtainFailedException e) {
      throw SearchException.inUse(home.get(), e);
    }
  }

  /** Directories that were made here; whatever else lies beside them is left alone. */
  private List<Path> ours() throws IOException {
    return home.isEmpty()
        ? List.of()
        : IndexFiles.children(home.get()).stream()
            .filter(path -> OURS.matcher(String.valueOf(path.getFileName())).matches())
            .filter(Files::isDirectory)
            .toList();
  }

  /** What is damaged goes; trouble that may pass leaves everything as it is. */
  private Optional<Generation> open(Path directory) throws IOException {
    last = Math.max(last, number(directory));
    try {
      Optional<Generation> opened = openWhole(directory);
      if (opened.isEmpty()) {
        IndexFiles.deleteAll(directory);
      }
      return opened;
    } catch (LockObtainFailedException e) {
      throw SearchException.inUse(directory, e);
    } catch (IOException | CaliberException | IllegalArgumentException e) {
      if (e instanceof IOException io && !Damage.is(io)) {
        throw io;
      }
      LOG.warn("The index in {} is damaged and will be rebuilt: {}", directory, e.getMessage());
      IndexFiles.deleteAll(directory);
      return Optional.empty();
    }
  }

  private static int number(Path directory) {
    return Integer.parseInt(String.valueOf(directory.getFileName()).substring(0, NUMBER));
  }

  /** Empty if nothing was ever committed there. */
  private Optional<Generation> openWhole(Path directory) throws IOException {
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
              new Generation.Opened(
                  String.valueOf(directory.getFileName()),
                  recipe,
                  Optional.of(directory),
                  files,
                  state.get()),
              machinery));
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  /** After a crash every byte is checked; what was closed cleanly is trusted. */
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
      return IndexState.of(reader.getIndexCommit().getUserData());
    }
  }

  Generation create(IndexRecipe recipe, IndexState state) throws IOException {
    last++;
    String name = "%06d-%s".formatted(last, recipe.fingerprint());
    Optional<Path> directory = home.map(parent -> parent.resolve(name));
    Directory files = directory.isPresent() ? laidOut(directory.get(), recipe) : inMemory();
    Generation made =
        new Generation(new Generation.Opened(name, recipe, directory, files, state), machinery);
    LOG.info("Building index {} of space {}", name, space);
    return made;
  }

  private static Directory inMemory() {
    return new ByteBuffersDirectory();
  }

  private static Directory laidOut(Path directory, IndexRecipe recipe) throws IOException {
    PrivateFiles.createDirectories(directory);
    Files.write(directory.resolve(IndexFormatV1.META_FILE), Json.bytes(recipe));
    return FSDirectory.open(directory);
  }

  /** Throws the generation away. */
  void remove(Generation generation) throws IOException {
    try {
      generation.abandon();
    } finally {
      if (generation.path().isPresent()) {
        IndexFiles.deleteAll(generation.path().get());
      }
    }
  }

  /** Closes a generation that stays; one that could not be read is looked at before it is used. */
  static void close(Generation generation) throws IOException {
    generation.close();
    if (generation.path().isPresent() && !generation.isSuspect()) {
      Files.writeString(generation.path().get().resolve(IndexFormatV1.CLEAN_FILE), "");
    }
  }

  /** Lets others open the directory. */
  void close() {
    IOUtils.closeWhileHandlingException(lock);
    lock = null;
  }
}
