package dev.caliber.memory.context.window;

import dev.caliber.kernel.Id;

/**
 * Two candidates that cannot both be true, and the preferred one.
 *
 * @param one the one with the smaller id
 * @param preferred one of them
 * @param reason why that one, in words that quote neither
 */
public record NoteConflict(NoteConflictType type, Id one, Id other, Id preferred, String reason) {

  /** Kind of difference between the two notes. */
  public enum NoteConflictType {
    /** The notes are from different times. */
    TEMPORAL("Temporal", "%s and %s are from different times, and the older may be stale"),
    /** The notes come from different classes of sources. */
    SOURCE_MISMATCH("Source Mismatch", "%s and %s come from different sources and disagree"),
    SEMANTIC("Semantic Contradiction", "%s contradicts %s");

    private final String title;
    private final String description;

    NoteConflictType(String title, String description) {
      this.title = title;
      this.description = description;
    }

    public String title() {
      return title;
    }

    /** Returns the description with the names of both. */
    public String description(String first, String second) {
      return description.formatted(first, second);
    }
  }
}
