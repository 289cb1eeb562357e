package dev.caliber.memory.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A text cut into sentences, each verbatim. Fenced code is no sentence. */
final class Sentences {
  private static final Pattern FENCE = Pattern.compile("(?s)```.*?(```|\\z)");

  /** Marks that end a sentence wherever they stand, with no blank after them. */
  private static final String FULL_STOPS = "[。｡！？।۔؟]";

  private static final Pattern END =
      Pattern.compile(
          "(?<=[.!?])[\"')\\]]*\\s+(?=[\\p{Lu}\\p{Lo}\\p{N}\"'(\\[])|\\n+|(?<="
              + FULL_STOPS
              + ")(?!"
              + FULL_STOPS
              + ")[\"')\\]\\p{Pe}\\p{Pf}]*\\s*");
  private static final Pattern MARK = Pattern.compile("^(?:#+|[-*+>]|\\d+[.)])\\s+");

  private Sentences() {}

  static List<String> of(String text) {
    List<String> sentences = new ArrayList<>();
    for (String piece : END.split(FENCE.matcher(text).replaceAll("\n"), -1)) {
      String sentence = MARK.matcher(piece.strip()).replaceFirst("").strip();
      if (!sentence.isEmpty()) {
        sentences.add(sentence);
      }
    }
    return sentences;
  }
}
