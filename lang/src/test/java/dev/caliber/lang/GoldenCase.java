package dev.caliber.lang;

import dev.caliber.kernel.Json;
import dev.caliber.lang.diagnostic.Diagnostic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A source and what the compiler says to it: {@code name.caliber} and {@code name.expected}, which
 * holds a line for each diagnostic and, if the source compiles, the configuration as JSON.
 */
record GoldenCase(String name, String source, Path expectedFile) {
  private static final String SOURCE = ".caliber";
  private static final String EXPECTED = ".expected";
  private static final Pattern REPEATED = Pattern.compile("⟦(\\d+):(.*?)⟧", Pattern.DOTALL);
  private static final int MOST_LINES = 50;

  static List<GoldenCase> all() {
    return files("golden", SOURCE, GoldenCase::new);
  }

  /** Makes a case of its name, its source and the file with what is expected. */
  interface Maker<C> {
    C make(String name, String source, Path expectedFile);
  }

  /** The cases of a directory of resources, whose sources have the given ending. */
  static <C> List<C> files(String resource, String ending, Maker<C> maker) {
    var directory =
        Path.of(Objects.requireNonNull(System.getProperty("caliber.root")))
            .resolve("lang/src/test/resources")
            .resolve(resource);
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .map(file -> read(directory, file, ending, maker))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <C> C read(Path directory, Path file, String ending, Maker<C> maker) {
    String name = directory.relativize(file).toString().replace(ending, "");
    return maker.make(name, expanded(text(file)), directory.resolve(name + EXPECTED));
  }

  /** What is long is written short: ⟦3:ab⟧ stands for ababab. */
  private static String expanded(String text) {
    return REPEATED
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(match.group(2).repeat(Integer.parseInt(match.group(1)))));
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String expected() {
    return text(expectedFile);
  }

  CompileResult compile() {
    return Compiler.create(Catalogues.product()).compile("case.caliber", source);
  }

  boolean isValid() {
    return name.startsWith("valid/");
  }

  /** What the compiler says, as the expected file has it. */
  static String describe(CompileResult result) {
    return switch (result) {
      case CompileResult.Rejected(var diagnostics) -> lines(diagnostics);
      case CompileResult.Compiled(var config, _, var warnings) ->
          lines(warnings)
              + Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(config)
              + "\n";
    };
  }

  static String lines(List<Diagnostic> diagnostics) {
    if (diagnostics.size() > MOST_LINES) {
      return line(diagnostics.getFirst())
          + "… "
          + (diagnostics.size() - 2)
          + " more …\n"
          + line(diagnostics.getLast());
    }
    return diagnostics.stream().map(GoldenCase::line).collect(Collectors.joining());
  }

  private static String line(Diagnostic diagnostic) {
    return diagnostic.severity().word()
        + " "
        + diagnostic.code()
        + " "
        + diagnostic.span()
        + " "
        + diagnostic.message()
        + " | "
        + diagnostic.suggestion()
        + "\n";
  }

  @Override
  public String toString() {
    return name;
  }
}
