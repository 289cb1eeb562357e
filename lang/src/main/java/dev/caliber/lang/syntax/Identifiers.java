package dev.caliber.lang.syntax;

import java.util.Locale;
import java.util.regex.Pattern;

/** Turns what somebody wrote for a name into the nearest name. */
final class Identifiers {
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");
  private static final Pattern OTHER = Pattern.compile("[^a-z0-9_]");

  private Identifiers() {}

  /** The text itself if it is a name: lower case, underscores between words, nothing too long. */
  static String nearest(String text) {
    return shortened(isPlain(text) ? text : plain(text));
  }

  /** Nearly every name in a source is one, and this is a good part of reading it. */
  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  }

  private static String plain(String text) {
    String words = HUMP.matcher(text).replaceAll("_").toLowerCase(Locale.ROOT);
    return OTHER.matcher(words).replaceAll("_");
  }

  private static String shortened(String name) {
    return name.length() > SyntaxBounds.IDENTIFIER
        ? name.substring(0, SyntaxBounds.IDENTIFIER)
        : name;
  }
}
