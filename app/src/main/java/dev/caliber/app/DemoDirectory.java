package dev.caliber.app;

import dev.caliber.kernel.PrivateFiles;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The demo's place on the disk, removed at the end unless somebody wants it kept. */
record DemoDirectory(Path path, boolean isKept) implements AutoCloseable {

  private static final String MARK = "demo";
  private static final String MARK_TEXT =
      "The demo made this store. Because this file is here, commands know the demo's tables.\n";

  static DemoDirectory make(Optional<Path> keep) throws IOException {
    if (keep.isEmpty()) {
      return new DemoDirectory(Files.createTempDirectory("caliber-demo-"), false);
    }
    Path directory = PrivateFiles.createDirectories(keep.get());
    try (Stream<Path> files = Files.list(directory)) {
      if (files.findAny().isPresent()) {
        throw AppException.fileExists(
            directory, "The demo wants a new or empty directory; nothing was touched.");
      }
    }
    return new DemoDirectory(directory, true);
  }

  /** The starter's settings, on a store in this directory. */
  static StoreConfig config(Path store) {
    StoreConfig starter = StoreConfig.starter();
    return switch (starter.engine()) {
      case StoreConfig.Sqlite sqlite -> starter.withEngine(sqlite.in(store));
      case StoreConfig.InMemory _, StoreConfig.Postgres _ ->
          throw new IllegalStateException("The starter's engine is not the embedded one");
    };
  }

  /** Makes the directory one of the demo's stores, so that every command knows what is in it. */
  static void mark(Path store) throws IOException {
    Files.writeString(PrivateFiles.createDirectories(store).resolve(MARK), MARK_TEXT);
  }

  static boolean isMarked(Path store) {
    return Files.isRegularFile(store.resolve(MARK));
  }

  Path store() {
    return path.resolve("store");
  }

  @Override
  public void close() {
    if (isKept) {
      return;
    }
    try {
      Files.walkFileTree(path, new Removal());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
