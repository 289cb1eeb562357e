package dev.caliber.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the files of a data set. */
final class DataFiles {

  private DataFiles() {}

  /** The file itself, or those of a directory that match, in the order of their names. */
  static List<Path> matching(Path data, String glob) {
    if (Files.isRegularFile(data)) {
      return List.of(data);
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(data, glob)) {
      files.forEach(found::add);
    } catch (IOException e) {
      throw BenchException.unreadable(data, e);
    }
    if (found.isEmpty()) {
      throw BenchException.badData(
          data, "the directory", glob.equals("*") ? "something" : glob, "nothing like it");
    }
    found.sort(null);
    return found;
  }

  /** The directories inside it that have a file of this name. */
  static List<Path> having(Path directory, String name) {
    List<Path> found =
        matching(directory, "*").stream()
            .filter(each -> Files.isRegularFile(each.resolve(name)))
            .toList();
    if (found.isEmpty()) {
      throw BenchException.badData(
          directory, "the directory", name + " or directories with it", "none");
    }
    return found;
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw BenchException.unreadable(file, e);
    }
  }

  /** The directory itself, if it is one. */
  static Path directory(Path data) {
    if (!Files.isDirectory(data)) {
      throw BenchException.badData(
          data, "the data set", "a directory", Files.exists(data) ? "a file" : "nothing");
    }
    return data;
  }

  /** The name without its ending. */
  static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
  }
}
