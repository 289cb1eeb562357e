package dev.caliber.models;

import dev.caliber.models.ModelsConfig.Retry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * Tries again after a failure that may pass. A pause that the provider asks for counts instead of
 * the computed one; when it is longer than the longest pause, the failure goes to the caller at
 * once, with the pause in it.
 */
final class Attempts {

  private final Retry rules;
  private final Pauses pauses;
  private final CountDownLatch closed;

  Attempts(Retry rules, Pauses pauses, CountDownLatch closed) {
    this.rules = rules;
    this.pauses = pauses;
    this.closed = closed;
  }

  <T> T run(Supplier<T> work) {
    for (int failures = 0; ; failures++) {
      try {
        return work.get();
      } catch (ModelsException e) {
        pause(next(failures, e));
      }
    }
  }

  /** How long to wait before the next attempt; the failure itself when there is to be none. */
  private Duration next(int failures, ModelsException e) {
    Duration pause = e.retryAfter().orElseGet(() -> rules.delay(failures));
    boolean again =
        e.code().kind().retryable()
            && e.code() != ModelsErrorCode.CLOSED
            && failures < rules.maxRetries()
            && pause.compareTo(rules.maxBackoff()) <= 0;
    if (!again) {
      throw e;
    }
    return pause;
  }

  private void pause(Duration length) {
    try {
      if (pauses.pause(closed, length)) {
        throw ModelsException.closed();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    }
  }
}
