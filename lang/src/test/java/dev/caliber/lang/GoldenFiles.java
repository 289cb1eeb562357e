package dev.caliber.lang;

import dev.caliber.lang.diagnostic.Diagnostic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cases as files: a source, and beside it {@code name.expected}, which has a line for each
 * diagnostic.
 */
public final class GoldenFiles {
  private static final String EXPECTED = ".expected";
  private static final Pattern REPEATED = Pattern.compile("⟦(\\d+):(.*?)⟧", Pattern.DOTALL);
  private static final int MOST_LINES = 50;

  private GoldenFiles() {}

  /** Makes a case of its name, its source and the file with what is expected. */
  public interface Maker<C> {
    C make(String name, String source, Path expectedFile);
  }

  /** A file or directory of the test resources. */
  public static Path resource(String name) {
    return Path.of(Objects.requireNonNull(System.getProperty("caliber.root")))
        .resolve("lang/src/test/resources")
        .resolve(name);
  }

  /** The cases of a directory of resources, whose sources have the given ending. */
  public static <C> List<C> cases(String directory, String ending, Maker<C> maker) {
    Path root = resource(directory);
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .map(file -> read(root, file, ending, maker))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <C> C read(Path root, Path file, String ending, Maker<C> maker) {
    String name = root.relativize(file).toString().replace(ending, "");
    return maker.make(name, expanded(text(file)), root.resolve(name + EXPECTED));
  }

  /** What is long is written short: ⟦3:ab⟧ stands for ababab. */
  private static String expanded(String text) {
    return REPEATED
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(match.group(2).repeat(Integer.parseInt(match.group(1)))));
  }

  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line for each diagnostic, with its place as the function says it; of very many the ends. */
  public static String lines(List<Diagnostic> diagnostics, Function<Diagnostic, String> place) {
    if (diagnostics.size() > MOST_LINES) {
      return line(diagnostics.getFirst(), place)
          + "… "
          + (diagnostics.size() - 2)
          + " more …\n"
          + line(diagnostics.getLast(), place);
    }
    return diagnostics.stream().map(it -> line(it, place)).collect(Collectors.joining());
  }

  /** The same, of the one file that there is. */
  public static String lines(List<Diagnostic> diagnostics) {
    return lines(diagnostics, it -> it.span().toString());
  }

  private static String line(Diagnostic diagnostic, Function<Diagnostic, String> place) {
    return diagnostic.severity().word()
        + " "
        + diagnostic.code()
        + " "
        + place.apply(diagnostic)
        + " "
        + diagnostic.message()
        + " | "
        + diagnostic.suggestion()
        + "\n";
  }
}
