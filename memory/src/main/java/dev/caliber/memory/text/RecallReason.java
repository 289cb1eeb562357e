package dev.caliber.memory.text;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Says in one sentence why a record answers a question. */
public final class RecallReason {
  private static final int WORDS_SHOWN = 3;

  private RecallReason() {}

  /**
   * The sentence for one record.
   *
   * @param compared whether its vector was compared with the question's
   */
  public static String of(String question, String text, boolean compared) {
    List<String> words = common(question, text);
    if (words.isEmpty()) {
      return compared
          ? "It is near in meaning and has no word of the query."
          : "It stands beside a record that answers, or such a record links to it.";
    }
    String shown =
        words.stream().limit(WORDS_SHOWN).map("'%s'"::formatted).collect(Collectors.joining(", "));
    return compared
        ? "It has %s of the query and was compared by meaning.".formatted(shown)
        : "It has %s of the query.".formatted(shown);
  }

  /** The words of the question that the text has in any of their forms, without empty ones. */
  private static List<String> common(String question, String text) {
    Set<String> said = Words.content(text);
    return Words.plain(question).stream()
        .distinct()
        .filter(word -> !Words.isEmpty(word))
        .filter(word -> said.containsAll(Words.content(word)))
        .toList();
  }
}
