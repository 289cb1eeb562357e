package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.SyntaxBounds;
import java.util.Locale;
import java.util.regex.Pattern;

/** Turns text into the nearest valid name. */
final class Identifiers {
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");
  private static final Pattern OTHER = Pattern.compile("[^a-z0-9_]");

  private Identifiers() {}

  /** Returns the nearest name: lower case, underscores between words, of limited length. */
  static String nearest(String text) {
    return shortened(isPlain(text) ? text : normalized(text));
  }

  /** Returns quickly whether the text is a name, as nearly every one in a source is. */
  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  }

  private static String normalized(String text) {
    String words = HUMP.matcher(text).replaceAll("_").toLowerCase(Locale.ROOT);
    return OTHER.matcher(words).replaceAll("_");
  }

  private static String shortened(String name) {
    return name.length() > SyntaxBounds.IDENTIFIER
        ? name.substring(0, SyntaxBounds.IDENTIFIER)
        : name;
  }
}
