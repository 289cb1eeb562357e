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
      throw BenchException.preparing("Reading " + data, e);
    }
    if (found.isEmpty()) {
      throw BenchException.badData(data, "the directory", glob, "none");
    }
    found.sort(null);
    return found;
  }

  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw BenchException.preparing("Reading " + file, e);
    }
  }

  /** The name without its ending. */
  static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
  }
}
