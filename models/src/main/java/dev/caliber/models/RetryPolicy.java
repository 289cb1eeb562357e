package dev.caliber.models;

import dev.caliber.models.ModelsConfig.RetrySettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * Retries after temporary failures. A pause that the provider asks for replaces the computed one;
 * when it is longer than the longest pause, the failure is thrown at once, with the pause in it.
 */
final class RetryPolicy {

  private final RetrySettings rules;
  private final RetrySleeper retrySleeper;
  private final CountDownLatch closed;

  RetryPolicy(RetrySettings rules, RetrySleeper retrySleeper, CountDownLatch closed) {
    this.rules = rules;
    this.retrySleeper = retrySleeper;
    this.closed = closed;
  }

  <T> T callWithRetries(Supplier<T> work) {
    for (int failures = 0; ; failures++) {
      try {
        return work.get();
      } catch (ModelsException e) {
        pause(nextPause(failures, e));
      }
    }
  }

  /** Returns the pause before the next attempt; throws the failure if there is to be none. */
  private Duration nextPause(int failures, ModelsException e) {
    Duration pause = e.retryAfter().orElseGet(() -> rules.delay(failures));
    boolean again =
        e.code().kind().isRetryable()
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
      if (retrySleeper.sleep(closed, length)) {
        throw ModelsException.closed();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ModelsException.interrupted();
    }
  }
}
