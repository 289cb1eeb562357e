package dev.caliber.store.spi;

import dev.caliber.kernel.Hashing;
import java.util.List;

/**
 * Turns texts into vectors with one model. Safe for many threads; a call may be slow and never runs
 * inside a transaction.
 */
public interface Embedder extends AutoCloseable {

  /** What a text is embedded for; many models put another prefix before each. */
  enum Purpose {
    QUERY,
    PASSAGE
  }

  /**
   * Vectors derived from hashes of the words: the same everywhere, with no model and no network.
   * Texts that share words lie near each other, nothing more. For tests and for stub mode.
   */
  static Embedder hashing(int dimensions) {
    return new HashingEmbedder(dimensions);
  }

  /**
   * Names the model and everything that changes its vectors (version, quantisation). Vectors of two
   * models are never compared.
   */
  String model();

  /** The length of every vector. */
  int dimensions();

  /** What the model wants before texts of this purpose; empty for most. */
  String prefix(Purpose purpose);

  /**
   * One result for each text, in order. Texts come without the prefix. A text that fails does not
   * take the others with it: failures are results. It throws only when closed or when called
   * wrongly.
   */
  List<Embedding> embed(Purpose purpose, List<String> texts);

  /** Whether the model is there, so that nobody waits for it to load. */
  default boolean isReady() {
    return true;
  }

  /** Waits for the model; fails as every call would if it cannot be loaded. */
  default void awaitReady() {}

  /** The key of a vector in the cache, beside the model: the hash of prefix and text. */
  default String cacheKey(Purpose purpose, String text) {
    return Hashing.hash("embedding", prefix(purpose), text);
  }

  /** Lets go of memory and connections; calling it twice is harmless. */
  @Override
  void close();
}
