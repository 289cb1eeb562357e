package dev.caliber.gates;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The glossary of docs/vocabulary.md: its words, and the classes of those names. */
final class Vocabulary {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ([A-Z][\\w -]+) \\|.*\\|([^|]*)\\|$");
  private static final Pattern CLASS =
      Pattern.compile("`([a-z0-9]+)(?:\\.([a-z0-9.]+))?\\.(\\w+)`");

  private Vocabulary() {}

  /**
   * Returns the files of the types that may have a word for their name. The last column of a row
   * names them, as {@code module.package.Type}; a row without a class allows none.
   */
  static Map<String, Set<String>> classes() {
    return ROW.matcher(Repository.text(Repository.root().resolve("docs/vocabulary.md")))
        .results()
        .filter(row -> !row.group(1).equals("Word"))
        .collect(
            Collectors.toMap(
                row -> camelCase(row.group(1)), row -> paths(row.group(2)), Vocabulary::union));
  }

  private static Set<String> paths(String cell) {
    return CLASS
        .matcher(cell)
        .results()
        .map(
            found ->
                "%s/src/main/java/dev/caliber/%s/%s%s.java"
                    .formatted(
                        found.group(1),
                        found.group(1),
                        found.group(2) == null ? "" : found.group(2).replace('.', '/') + "/",
                        found.group(3)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String camelCase(String words) {
    return Arrays.stream(words.split("[ -]"))
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining());
  }

  private static Set<String> union(Set<String> a, Set<String> b) {
    return Stream.concat(a.stream(), b.stream()).collect(Collectors.toUnmodifiableSet());
  }
}
