package dev.caliber.memory.context.window;

import dev.caliber.kernel.config.TrustSettings;
import java.util.List;
import java.util.Optional;

/**
 * Inputs of the trust format.
 *
 * @param query the query, which the window repeats
 * @param conflicts conflicts between candidates, shown or not
 * @param more number of further conflicts, if any
 */
public record TrustFormatInput(
    TrustSettings rule,
    Optional<String> query,
    List<NoteConflict> conflicts,
    Optional<Integer> more) {

  /** Maximum number of characters of a source's name. */
  private static final int NAME_BOUND = 120;

  public TrustFormatInput {
    conflicts = List.copyOf(conflicts);
  }

  public static TrustFormatInput of(TrustSettings rule, Optional<String> query) {
    return new TrustFormatInput(rule, query, List.of(), Optional.empty());
  }

  TrustFormatInput withConflicts(KnownNoteConflicts found) {
    return new TrustFormatInput(
        rule, query, found.pairs(), Optional.of(found.more()).filter(more -> more > 0));
  }

  /** Returns whether an item's content exceeds the limit of the format. */
  public boolean exceedsLimit(String content) {
    return isLonger(content, rule.contentLimit());
  }

  /** Truncates an item's content to the limit of the format. */
  public String truncate(String content) {
    return truncate(content, rule.contentLimit());
  }

  /** Truncates a source's name to the limit of the format. */
  public static String truncateName(String name) {
    return truncate(name, NAME_BOUND);
  }

  private static boolean isLonger(String text, int most) {
    return text.codePointCount(0, text.length()) > most;
  }

  private static String truncate(String text, int most) {
    return isLonger(text, most)
        ? text.substring(0, text.offsetByCodePoints(0, most)) + "..."
        : text;
  }
}
