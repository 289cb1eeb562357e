package dev.caliber.memory.text;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One-sentence explanations of why a record matches a query. */
public final class RecallExplainer {
  private static final int WORDS_SHOWN = 3;

  private RecallExplainer() {}

  /**
   * Returns the explanation for one record.
   *
   * @param compared whether its vector was compared with that of the query
   */
  public static String explain(String question, String text, boolean compared) {
    List<String> words = commonWords(question, text);
    if (words.isEmpty()) {
      return compared
          ? "The record is similar in meaning, but contains no word of the query."
          : "The record is next to a matching record, or a matching record links to it.";
    }
    String shown =
        words.stream().limit(WORDS_SHOWN).map("'%s'"::formatted).collect(Collectors.joining(", "));
    return compared
        ? "The record contains %s of the query and was compared by meaning.".formatted(shown)
        : "The record contains %s of the query.".formatted(shown);
  }

  /** Returns the content words of the question that the text contains in any form. */
  private static List<String> commonWords(String question, String text) {
    Set<String> said = WordTokenizer.contentWords(text);
    return WordTokenizer.allWords(question).stream()
        .distinct()
        .filter(word -> !WordTokenizer.isStopWord(word))
        .filter(word -> said.containsAll(WordTokenizer.contentWords(word)))
        .toList();
  }
}
