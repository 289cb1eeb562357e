package dev.caliber.memory.context;

import dev.caliber.kernel.config.TrustRule;
import java.util.List;
import java.util.Optional;

/**
 * What a window that says how far its items are trusted needs beside them.
 *
 * @param query what is asked, which such a window repeats
 * @param conflicts among the candidates, shown or not
 * @param more how many others there are among them, if any
 */
public record TrustPrompt(
    TrustRule rule, Optional<String> query, List<NoteConflict> conflicts, Optional<Integer> more) {

  /** The most characters of the name of a source. */
  private static final int NAME_BOUND = 120;

  public TrustPrompt {
    conflicts = List.copyOf(conflicts);
  }

  static TrustPrompt of(TrustRule rule, Optional<String> query) {
    return new TrustPrompt(rule, query, List.of(), Optional.empty());
  }

  TrustPrompt with(NoteConflicts.Known found) {
    return new TrustPrompt(
        rule, query, found.pairs(), Optional.of(found.more()).filter(more -> more > 0));
  }

  /** Whether an item's content is longer than such a window shows. */
  boolean cuts(String content) {
    return isLonger(content, rule.contentLimit());
  }

  /** As much of an item's content as such a window shows. */
  String cut(String content) {
    return cut(content, rule.contentLimit());
  }

  /** As much of a source's name as such a window shows. */
  static String cutName(String name) {
    return cut(name, NAME_BOUND);
  }

  private static boolean isLonger(String text, int most) {
    return text.codePointCount(0, text.length()) > most;
  }

  private static String cut(String text, int most) {
    return isLonger(text, most)
        ? text.substring(0, text.offsetByCodePoints(0, most)) + "..."
        : text;
  }
}
