package dev.caliber.store.spi;

import dev.caliber.kernel.ErrorCode;
import java.time.Duration;
import java.util.Optional;

/** What became of one text: its vector, or why there is none. */
public sealed interface Embedding {

  static Embedding of(float[] vector) {
    return new Vector(vector);
  }

  /** Whoever makes vectors could not; the same text may get one later. */
  static Embedding failed(ErrorCode code, String message, Optional<Duration> retryAfter) {
    return new Failure(code, message, retryAfter, false);
  }

  /** The text itself is why: it never gets a vector. */
  static Embedding refused(ErrorCode code, String message) {
    return new Failure(code, message, Optional.empty(), true);
  }

  /** The vector, with as many elements as the embedder has dimensions. Nobody changes it. */
  @SuppressWarnings("ArrayRecordComponent") // handed on millions of times, compared by nobody
  record Vector(float[] values) implements Embedding {}

  /**
   * Why there is no vector.
   *
   * @param retryAfter how long the provider wants to be left alone
   * @param ofText whether the text itself is the reason, so that it is never tried again
   */
  record Failure(ErrorCode code, String message, Optional<Duration> retryAfter, boolean ofText)
      implements Embedding {

    public String report() {
      return code.text() + ": " + message;
    }

    public boolean retryable() {
      return code.kind().retryable();
    }
  }
}
