package dev.caliber.lang.pack;

import dev.caliber.kernel.Json;
import dev.caliber.lang.diagnostic.Diagnostic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes to a pack, and what the composer says then: {@code name.pack} and {@code name.expected}.
 * The first line names the pack to change. {@code @ path} begins the changes to a file: lines with
 * {@code -} are replaced by the following lines with {@code +}, lines with {@code +} alone go to
 * the end, and {@code !} removes the file. ⟦3:ab⟧ stands for ababab, U+F8FF for a byte that is no
 * UTF-8.
 */
record PackCase(String name, PackSource source, Path expectedFile) {
  private static final String CASE = ".pack";
  private static final Path DIRECTORY = Packs.RESOURCES.resolve("packs");
  private static final Pattern REPEATED = Pattern.compile("⟦(\\d+):(.*?)⟧", Pattern.DOTALL);
  private static final int MOST_LINES = 50;

  static List<PackCase> all() {
    try (Stream<Path> files = Files.walk(DIRECTORY)) {
      return files
          .filter(file -> file.toString().endsWith(CASE))
          .sorted()
          .map(PackCase::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PackCase read(Path file) {
    String name = DIRECTORY.relativize(file).toString().replace(CASE, "");
    var lines = expanded(text(file)).lines().toList();
    var base = PackSource.read(Packs.RESOURCES.resolve(lines.getFirst()));
    return new PackCase(
        name, changed(base, lines.subList(1, lines.size())), DIRECTORY.resolve(name + ".expected"));
  }

  private static PackSource changed(PackSource base, List<String> lines) {
    Map<String, String> texts = new HashMap<>();
    base.paths().forEach(path -> texts.put(path, base.text(path).orElseThrow()));
    String path = "";
    var old = new StringBuilder();
    var fresh = new StringBuilder();
    var all = new ArrayList<>(lines);
    all.add("@ ");
    for (String line : all) {
      if ((!line.startsWith("+") && !fresh.isEmpty()) || line.startsWith("@")) {
        apply(texts, path, old.toString(), fresh.toString());
        old.setLength(0);
        fresh.setLength(0);
      }
      switch (line.isEmpty() ? ' ' : line.charAt(0)) {
        case '@' -> path = line.substring(2);
        case '-' -> old.append(rest(line));
        case '+' -> fresh.append(rest(line));
        case '!' -> texts.remove(path);
        default -> throw new IllegalArgumentException("wanted @, -, + or !, found " + line);
      }
    }
    var files = new HashMap<String, byte[]>();
    texts.forEach((file, text) -> files.put(file, bytes(text)));
    return PackSource.of(files);
  }

  /** In UTF-8, but a byte that is none for the character U+F8FF. */
  private static byte[] bytes(String text) {
    var bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
      String character = Character.toString(text.codePointAt(i));
      bytes.writeBytes(
          character.equals("\uF8FF")
              ? new byte[] {-1}
              : character.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static String rest(String line) {
    return (line.length() > 2 ? line.substring(2) : "") + "\n";
  }

  private static void apply(Map<String, String> texts, String path, String old, String fresh) {
    String text = texts.getOrDefault(path, "");
    if (!old.isEmpty()) {
      if (!text.contains(old)) {
        throw new IllegalArgumentException("wanted in " + path + ": " + old);
      }
      texts.put(path, text.replaceFirst(Pattern.quote(old), Matcher.quoteReplacement(fresh)));
    } else if (!fresh.isEmpty()) {
      texts.put(path, text + fresh);
    }
  }

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

  boolean isValid() {
    return name.startsWith("valid/");
  }

  /** What the composer says, as the expected file has it. */
  static String describe(ComposeResult result) {
    return switch (result) {
      case ComposeResult.Rejected(var diagnostics) -> lines(diagnostics);
      case ComposeResult.Composed composed ->
          lines(composed.warnings())
              + composed.dslSource()
              + Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(composed.ir())
              + "\n";
    };
  }

  private static String lines(List<Diagnostic> diagnostics) {
    if (diagnostics.size() > MOST_LINES) {
      return line(diagnostics.getFirst())
          + "… "
          + (diagnostics.size() - 2)
          + " more …\n"
          + line(diagnostics.getLast());
    }
    return diagnostics.stream().map(PackCase::line).collect(Collectors.joining());
  }

  private static String line(Diagnostic diagnostic) {
    return diagnostic.severity().word()
        + " "
        + diagnostic.code()
        + " "
        + diagnostic.file()
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
