package dev.caliber.store.search.index;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** File operations on index directories. */
final class IndexFiles {

  private IndexFiles() {}

  static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  static void deleteAll(Path directory) throws IOException {
    if (Files.exists(directory)) {
      Files.walkFileTree(directory, new DeletingFileVisitor());
    }
  }

  static long totalBytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : children(directory)) {
      bytes += size(file);
    }
    return bytes;
  }

  /** Returns the size; 0 for a file that a merge has just removed. */
  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (java.nio.file.NoSuchFileException _) {
      return 0;
    }
  }

  private static final class DeletingFileVisitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(
        Path directory, @org.jspecify.annotations.Nullable IOException failure) throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
