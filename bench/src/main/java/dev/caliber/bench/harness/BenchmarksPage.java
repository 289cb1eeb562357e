package dev.caliber.bench.harness;

import dev.caliber.kernel.KernelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The page {@code docs/benchmarks.md}: one part for each command, between markers. A run replaces
 * its own part; text outside the markers is preserved.
 */
final class BenchmarksPage {

  private static final String TITLE =
      """
      # Benchmarks

      The tables are written by the commands that stand above them. What was tried where a bar is missed
      is written by hand, outside of the markers.
      """;

  private final Path file;

  private BenchmarksPage(Path file) {
    this.file = file;
  }

  /** Returns the page of the working copy that contains this directory. */
  static BenchmarksPage find(Path directory) {
    Optional<Path> here = Optional.of(directory.toAbsolutePath());
    while (here.isPresent()) {
      Path candidate = here.get();
      if (Files.exists(candidate.resolve("bench/pom.xml"))) {
        return new BenchmarksPage(candidate.resolve("docs/benchmarks.md"));
      }
      here = Optional.ofNullable(candidate.getParent());
    }
    throw KernelException.invalidValue(
        "--write-docs", "Not inside a working copy of Caliber; run the command in one");
  }

  void replace(String part, String content) {
    String begin = "<!-- bench %s: begin -->".formatted(part);
    String end = "<!-- bench %s: end -->".formatted(part);
    String block = "%s\n## bench %s\n\n%s%s".formatted(begin, part, content, end);
    try {
      String text = Files.exists(file) ? Files.readString(file) : TITLE;
      int from = text.indexOf(begin);
      int until = text.indexOf(end);
      String next =
          from >= 0 && until > from
              ? text.substring(0, from) + block + text.substring(until + end.length())
              : text + "\n" + block + "\n";
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, next);
    } catch (IOException e) {
      throw BenchException.preparationFailed("Writing the page of benchmarks", e);
    }
  }
}
