package dev.caliber.store.spi;

import dev.caliber.kernel.ErrorCode;
import java.time.Duration;
import java.util.Optional;

/** What became of one text: its vector, or why there is none. */
public sealed interface Embedding {

  static Embedding of(float[] vector) {
    return new Vector(vector);
  }

  static Embedding failed(ErrorCode code, String message) {
    return new Failure(code, message, Optional.empty());
  }

  /** A failure that its provider asks to leave alone for a while. */
  static Embedding failed(ErrorCode code, String message, Duration retryAfter) {
    return new Failure(code, message, Optional.of(retryAfter));
  }

  /** The vector, with as many elements as the embedder has dimensions. Nobody changes it. */
  @SuppressWarnings("ArrayRecordComponent") // handed on millions of times, compared by nobody
  record Vector(float[] values) implements Embedding {}

  /** Why there is no vector; the code says whether trying again may help. */
  record Failure(ErrorCode code, String message, Optional<Duration> retryAfter)
      implements Embedding {

    public boolean retryable() {
      return code.kind().retryable();
    }
  }
}
