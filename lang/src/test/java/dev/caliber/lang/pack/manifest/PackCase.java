package dev.caliber.lang.pack.manifest;

import dev.caliber.kernel.Json;
import dev.caliber.lang.GoldenFiles;
import dev.caliber.lang.diagnostic.Diagnostic;
import dev.caliber.lang.pack.ComposeResult;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes to a pack, and the composer's result: {@code name.pack} and {@code name.expected}. The
 * first line names the pack to change. {@code @ path} begins the changes to a file: lines with
 * {@code -} are replaced by the following lines with {@code +}, lines with {@code +} alone are
 * appended, and {@code !} removes the file. ⟦3:ab⟧ stands for ababab, U+F8FF for a byte that is not
 * UTF-8.
 */
public record PackCase(String name, PackSource source, Path expectedFile) {
  public static List<PackCase> all() {
    return GoldenFiles.cases("packs", ".pack", PackCase::read);
  }

  private static PackCase read(String name, String changes, Path expectedFile) {
    var lines = changes.lines().toList();
    var base = PackSource.read(GoldenFiles.resource(lines.getFirst()));
    return new PackCase(name, changed(base, lines.subList(1, lines.size())), expectedFile);
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
        default -> throw new IllegalArgumentException("expected @, -, + or !, found " + line);
      }
    }
    var files = new HashMap<String, byte[]>();
    texts.forEach((file, text) -> files.put(file, bytes(text)));
    return PackSource.of(files);
  }

  /** Returns the text in UTF-8, with an invalid byte for each U+F8FF. */
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
        throw new IllegalArgumentException("expected in " + path + ": " + old);
      }
      texts.put(path, text.replaceFirst(Pattern.quote(old), Matcher.quoteReplacement(fresh)));
    } else if (!fresh.isEmpty()) {
      texts.put(path, text + fresh);
    }
  }

  public String expected() {
    return GoldenFiles.text(expectedFile);
  }

  public boolean isValid() {
    return name.startsWith("valid/");
  }

  /** Formats a result as the expected file has it. */
  public static String describe(ComposeResult result) {
    return switch (result) {
      case ComposeResult.ComposeFailure(var diagnostics) -> lines(diagnostics);
      case ComposeResult.ComposeSuccess composeSuccess ->
          lines(composeSuccess.warnings())
              + composeSuccess.dslSource()
              + Json.mapper()
                  .writerWithDefaultPrettyPrinter()
                  .writeValueAsString(composeSuccess.ir())
              + "\n";
    };
  }

  private static String lines(List<Diagnostic> diagnostics) {
    return GoldenFiles.lines(diagnostics, it -> it.file() + " " + it.span());
  }

  @Override
  public String toString() {
    return name;
  }
}
