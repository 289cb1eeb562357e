package dev.caliber.memory.context;

import dev.caliber.kernel.config.TrustRule;
import java.util.List;
import java.util.Optional;

/**
 * What a window that says how far its items are trusted needs beside them.
 *
 * @param query what is asked, which such a window repeats
 * @param conflicts among the candidates, shown or not
 */
public record TrustPrompt(TrustRule rule, Optional<String> query, List<NoteConflict> conflicts) {
  public TrustPrompt {
    conflicts = List.copyOf(conflicts);
  }

  static TrustPrompt of(TrustRule rule, Optional<String> query) {
    return new TrustPrompt(rule, query, List.of());
  }

  TrustPrompt with(List<NoteConflict> found) {
    return new TrustPrompt(rule, query, found);
  }

  /** Whether an item's content is longer than such a window shows. */
  boolean cuts(String content) {
    return content.codePointCount(0, content.length()) > rule.contentLimit();
  }

  /** As much of an item's content as such a window shows. */
  String cut(String content) {
    return cuts(content)
        ? content.substring(0, content.offsetByCodePoints(0, rule.contentLimit())) + "..."
        : content;
  }
}
