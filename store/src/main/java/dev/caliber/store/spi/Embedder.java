package dev.caliber.store.spi;

import dev.caliber.kernel.FieldHash;
import java.util.List;

/**
 * Model that turns texts into vectors. Safe for many threads; a call may be slow and never runs
 * inside a transaction.
 */
public interface Embedder extends AutoCloseable {

  /** Purpose for which a text is embedded; many models put another prefix before each. */
  enum EmbeddingPurpose {
    QUERY,
    PASSAGE
  }

  /**
   * Returns an embedder that derives vectors from hashes of the words: the same everywhere, with no
   * model and no network. Texts that share words are near each other, nothing more. For tests and
   * for stub mode.
   */
  static Embedder hashing(int dimensions) {
    return new HashingEmbedder(dimensions);
  }

  /**
   * Returns the name of the model, including everything that changes its vectors (version,
   * quantisation). Vectors of two models are never compared.
   */
  String model();

  /** Returns the length of every vector. */
  int dimensions();

  /** Returns the text that the model expects before texts of this purpose; empty for most. */
  String prefix(EmbeddingPurpose embeddingPurpose);

  /**
   * Returns one result for each text, in order. Texts come without the prefix. A text that fails
   * does not fail the others: failures are results. Throws only when closed or called wrongly.
   */
  List<Embedding> embed(EmbeddingPurpose embeddingPurpose, List<String> texts);

  /** Returns whether the model is loaded, so that a call does not wait for it. */
  default boolean isReady() {
    return true;
  }

  /** Waits until the model is loaded; throws as every call would if it cannot be loaded. */
  default void awaitReady() {}

  /** Returns the key of a vector in the cache, beside the model: the hash of prefix and text. */
  default String cacheKey(EmbeddingPurpose embeddingPurpose, String text) {
    return FieldHash.hash("embedding", prefix(embeddingPurpose), text);
  }

  /** Releases memory and connections; calling it twice is harmless. */
  @Override
  void close();
}
