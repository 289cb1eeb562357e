package dev.caliber.kernel.pack;

/**
 * One state of the settings: the lifetime of an agent's memories, their index, and the format of
 * its context.
 *
 * @param format a built-in format or one of the pack's, by its bare name
 */
public record ProfileSettings(
    MemoryLifetime retention, MemoryIndexKind index, EmbeddingSwitch embeddings, String format) {

  /** Lifetime of memories. */
  public enum MemoryLifetime {
    SCOPE,
    SESSION,
    PERSISTENT
  }

  /** Index over memories. */
  public enum MemoryIndexKind {
    NONE,
    LEXICAL,
    EMBEDDING,
    HYBRID
  }

  /** Switch for embedding texts. */
  public enum EmbeddingSwitch {
    OFF,
    ON
  }
}
