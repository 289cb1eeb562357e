package dev.caliber.memory.context;

import dev.caliber.kernel.Id;

/**
 * Two candidates that cannot both be true, and which of them to prefer.
 *
 * @param one the one with the smaller id
 * @param preferred one of them
 * @param reason why that one, in words that quote neither
 */
public record NoteConflict(Type type, Id one, Id other, Id preferred, String reason) {

  /** What it is that sets them apart. */
  public enum Type {
    /** They speak of different times. */
    TEMPORAL("Temporal", "%s and %s are from different times, and the older may be stale"),
    /** They come from different classes of sources. */
    SOURCE_MISMATCH("Source Mismatch", "%s and %s come from different sources and disagree"),
    SEMANTIC("Semantic Contradiction", "%s contradicts %s");

    private final String title;
    private final String description;

    Type(String title, String description) {
      this.title = title;
      this.description = description;
    }

    String title() {
      return title;
    }

    /** With the names of both. */
    String description(String first, String second) {
      return description.formatted(first, second);
    }
  }
}
