package dev.caliber.store.search.embed;

import java.time.Instant;
import java.util.Optional;

/**
 * Cached vector of a text, or the reason why there is none.
 *
 * @param hash of prefix and text
 * @param createdAt when it was made, or last found in use by a clean-up
 * @param vector empty if the text cannot be embedded
 * @param failure the reason why the text cannot be embedded
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CachedEmbedding(
    String hash, String model, Instant createdAt, Optional<String> failure, float[] vector) {

  private static final char BEFORE_MODEL = '@';

  CachedEmbedding withCreatedAt(Instant time) {
    return new CachedEmbedding(hash, model, time, failure, vector);
  }

  String key() {
    return key(hash, model);
  }

  static String key(String hash, String model) {
    return hash + BEFORE_MODEL + model;
  }

  /** Returns the least key after all keys of this hash, whatever their model. */
  static String keyAfter(String hash) {
    return hash + (char) (BEFORE_MODEL + 1);
  }
}
