package dev.caliber.lang.syntax;

import java.util.Locale;

/** Turns what somebody wrote for a name into the nearest name. */
final class Identifiers {
  private Identifiers() {}

  /** The text itself if it is a name: lower case, underscores between words, nothing too long. */
  static String nearest(String text) {
    String words = text.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    String name = words.replaceAll("[^a-z0-9_]", "_");
    return name.length() > SyntaxBounds.IDENTIFIER
        ? name.substring(0, SyntaxBounds.IDENTIFIER)
        : name;
  }
}
