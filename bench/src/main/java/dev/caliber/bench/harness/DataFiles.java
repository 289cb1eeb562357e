package dev.caliber.bench.harness;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the files of a data set. */
public final class DataFiles {

  private DataFiles() {}

  /** Returns the file itself, or the matching files of a directory, ordered by name. */
  public static List<Path> filesMatching(Path data, String glob) {
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
          data, "the directory", glob.equals("*") ? "something" : glob, "no match");
    }
    found.sort(null);
    return found;
  }

  /** Returns the directories inside it that have a file of this name. */
  public static List<Path> directoriesHaving(Path directory, String name) {
    List<Path> found =
        filesMatching(directory, "*").stream()
            .filter(each -> Files.isRegularFile(each.resolve(name)))
            .toList();
    if (found.isEmpty()) {
      throw BenchException.badData(
          directory, "the directory", name + " or directories with it", "none");
    }
    return found;
  }

  public static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw BenchException.unreadable(file, e);
    }
  }

  /** Returns the directory itself, if it is one. */
  public static Path requireDirectory(Path data) {
    if (!Files.isDirectory(data)) {
      throw BenchException.badData(
          data, "the data set", "a directory", Files.exists(data) ? "a file" : "nothing");
    }
    return data;
  }

  /** Returns the name without its extension. */
  public static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
  }
}
