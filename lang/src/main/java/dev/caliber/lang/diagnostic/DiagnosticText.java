package dev.caliber.lang.diagnostic;

import dev.caliber.kernel.NearestName;
import java.util.Collection;
import java.util.stream.Collectors;

/** Formats names and texts for diagnostics. */
public final class DiagnosticText {
  private static final int LONGEST_QUOTE = 40;
  private static final int LONGEST_LIST = 20;
  private static final int MOST_CANDIDATES = 1_000;

  private DiagnosticText() {}

  /** Returns the text in quotation marks: shortened, and without control characters. */
  public static String quote(String text) {
    return "'" + shorten(text) + "'";
  }

  /** Returns the text shortened, and without control characters. */
  private static String shorten(String text) {
    var shown = new StringBuilder();
    text.codePoints()
        .limit(LONGEST_QUOTE)
        .map(
            c ->
                Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE
                    ? 0xFFFD
                    : c)
        .forEach(shown::appendCodePoint);
    return shown
        .append(text.codePointCount(0, text.length()) > LONGEST_QUOTE ? "…" : "")
        .toString();
  }

  /** Suggests the nearest known name, and lists the known ones. */
  public static String suggest(String what, String found, Collection<String> known) {
    if (known.isEmpty()) {
      return "there is no " + what + " yet";
    }
    String all = (known.size() == 1 ? "the only " + what + " is " : "known: ") + list(known);
    return NearestName.find(found, known.stream().limit(MOST_CANDIDATES).toList())
        .map(nearest -> "did you mean " + quote(nearest) + "? " + all)
        .orElse(all);
  }

  /** Returns the names separated by commas; of many, the first ones. */
  public static String list(Collection<String> names) {
    String listed =
        names.stream()
            .limit(LONGEST_LIST)
            .map(DiagnosticText::shorten)
            .collect(Collectors.joining(", "));
    return names.size() > LONGEST_LIST ? listed + ", …" : listed;
  }
}
