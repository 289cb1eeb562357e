package dev.caliber.memory.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Splits a text into sentences, each verbatim. Fenced code is left out. */
final class SentenceSplitter {
  private static final Pattern FENCE = Pattern.compile("(?s)```.*?(```|\\z)");

  /** Marks that end a sentence anywhere, with no blank after them. */
  private static final String FULL_STOPS = "[。｡！？।۔؟]";

  private static final Pattern END =
      Pattern.compile(
          "(?<=[.!?])[\"')\\]]*\\s+(?=[\\p{Lu}\\p{Lo}\\p{N}\"'(\\[])|\\n+|(?<="
              + FULL_STOPS
              + ")(?!"
              + FULL_STOPS
              + ")[\"')\\]\\p{Pe}\\p{Pf}]*\\s*");
  private static final Pattern MARK = Pattern.compile("^(?:#+|[-*+>]|\\d+[.)])\\s+");

  private SentenceSplitter() {}

  static List<String> split(String text) {
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
