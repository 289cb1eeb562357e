package dev.caliber.kernel.pack;

/**
 * One state of the settings: how long an agent's memories stay, how they are found, and how its
 * context is written.
 *
 * @param format a built-in format or one of the pack's, by its bare name
 */
public record Knobs(Keep retention, Finder index, Embeddings embeddings, String format) {

  /** How long memories stay. */
  public enum Keep {
    SCOPE,
    SESSION,
    PERSISTENT
  }

  /** How memories are found. */
  public enum Finder {
    NONE,
    LEXICAL,
    EMBEDDING,
    HYBRID
  }

  /** Whether texts are embedded. */
  public enum Embeddings {
    OFF,
    ON
  }
}
