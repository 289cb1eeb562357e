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
 * Cases in files: a source, and beside it {@code name.expected}, which has a line for each
 * diagnostic.
 */
public final class GoldenFiles {
  private static final String EXPECTED = ".expected";
  private static final Pattern REPEATED = Pattern.compile("⟦(\\d+):(.*?)⟧", Pattern.DOTALL);
  private static final int MOST_LINES = 50;

  private GoldenFiles() {}

  /** Creates a case from its name, its source and the expected file. */
  public interface Maker<C> {
    C make(String name, String source, Path expectedFile);
  }

  /** Returns a file or directory of the test resources. */
  public static Path resource(String name) {
    return Path.of(Objects.requireNonNull(System.getProperty("caliber.root")))
        .resolve("lang/src/test/resources")
        .resolve(name);
  }

  /** Returns the cases of a directory of resources, whose sources have the given extension. */
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

  /** Expands abbreviations of long texts: ⟦3:ab⟧ stands for ababab. */
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

  /** Formats a line for each diagnostic; of very many, the first and the last. */
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

  /** Formats a line for each diagnostic of a single file. */
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
