package dev.caliber.store.spi;

import dev.caliber.kernel.ErrorCode;
import java.time.Duration;
import java.util.Optional;

/** Result for one text: its vector, or the reason why there is none. */
public sealed interface Embedding {

  static Embedding of(float[] vector) {
    return new Vector(vector);
  }

  /** Returns a failure of the embedder; the same text may get a vector later. */
  static Embedding failed(ErrorCode code, String message, Optional<Duration> retryAfter) {
    return new Failure(code, message, retryAfter, false);
  }

  /** Returns a failure caused by the text itself, which never gets a vector. */
  static Embedding refused(ErrorCode code, String message) {
    return new Failure(code, message, Optional.empty(), true);
  }

  /** Vector with as many elements as the embedder has dimensions. It is never modified. */
  @SuppressWarnings("ArrayRecordComponent") // passed on millions of times, never compared
  record Vector(float[] values) implements Embedding {}

  /**
   * Reason for a missing vector.
   *
   * @param retryAfter the pause that the provider asks for
   * @param causedByText whether the text itself is the reason, so that it is never tried again
   */
  record Failure(
      ErrorCode code, String message, Optional<Duration> retryAfter, boolean causedByText)
      implements Embedding {

    public String toLine() {
      return code.text() + ": " + message;
    }

    public boolean isRetryable() {
      return code.kind().isRetryable();
    }
  }
}
