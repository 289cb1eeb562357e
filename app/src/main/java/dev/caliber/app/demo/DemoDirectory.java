package dev.caliber.app.demo;

import dev.caliber.app.shell.AppException;
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

/** The demo's directory, removed at the end unless the user names one. */
public record DemoDirectory(Path path, boolean isKept) implements AutoCloseable {

  static DemoDirectory create(Optional<Path> keep) throws IOException {
    if (keep.isEmpty()) {
      return new DemoDirectory(Files.createTempDirectory("caliber-demo-"), false);
    }
    Path directory = PrivateFiles.createDirectories(keep.get());
    try (Stream<Path> files = Files.list(directory)) {
      if (files.findAny().isPresent()) {
        throw AppException.fileExists(
            directory, "The demo needs a new or empty directory; nothing was changed.");
      }
    }
    return new DemoDirectory(directory, true);
  }

  /** Returns the starter settings, with a store in this directory. */
  public static StoreConfig config(Path store) {
    StoreConfig starter = StoreConfig.starter();
    return switch (starter.engine()) {
      case StoreConfig.SqliteSettings sqliteSettings ->
          starter.withEngine(sqliteSettings.withDirectory(store));
      case StoreConfig.InMemorySettings _, StoreConfig.PostgresSettings _ ->
          throw new IllegalStateException("The starter's engine is not the embedded one");
    };
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
      Files.walkFileTree(path, new TreeDeleter());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class TreeDeleter extends SimpleFileVisitor<Path> {
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
