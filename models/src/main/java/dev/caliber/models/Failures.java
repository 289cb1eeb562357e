package dev.caliber.models;

import dev.caliber.kernel.CaliberException;
import dev.caliber.store.spi.Embedding;
import java.time.Duration;
import java.util.Optional;

/** Errors as results, for the one text that they are about. */
final class Failures {

  private Failures() {}

  static Embedding of(CaliberException e) {
    Optional<Duration> pause =
        e instanceof ModelsException known ? known.retryAfter() : Optional.empty();
    return pause
        .map(length -> Embedding.failed(e.code(), e.message(), length))
        .orElseGet(() -> Embedding.failed(e.code(), e.message()));
  }
}
