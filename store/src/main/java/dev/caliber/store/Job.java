package dev.caliber.store;

import dev.caliber.kernel.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Work for later, kept in the store.
 *
 * @param payload JSON text that only the kind's handler understands
 * @param due when a ready job may be claimed, when a running one's lease ends, or when a dead one
 *     would have been tried again
 * @param attempts how often it has been claimed
 * @param deduplication while a job with this text is there, another of its kind is not made
 * @param claim names the present attempt: an attempt that was taken over can no longer finish
 */
public record Job(
    Id id,
    String kind,
    String payload,
    JobState state,
    Instant due,
    int attempts,
    Optional<String> deduplication,
    Optional<Id> claim,
    Optional<String> lastError,
    Instant createdAt) {

  static Job ready(Id id, JobRequest request, Instant now) {
    return new Job(
        id,
        request.kind(),
        request.payload(),
        JobState.READY,
        request.due(),
        0,
        request.deduplication(),
        Optional.empty(),
        Optional.empty(),
        now);
  }

  Job claimed(Id newClaim, Instant leaseEnd) {
    return next(JobState.Event.CLAIM, leaseEnd, attempts + 1, Optional.of(newClaim), lastError);
  }

  Job leasedUntil(Instant leaseEnd) {
    return new Job(
        id, kind, payload, state, leaseEnd, attempts, deduplication, claim, lastError, createdAt);
  }

  Job failed(String error, Instant retryAt) {
    return next(JobState.Event.FAIL, retryAt, attempts, Optional.empty(), Optional.of(error));
  }

  /** Its due time then says when another attempt would have been made. */
  Job givenUp(String error, Instant retryAt) {
    return next(JobState.Event.GIVE_UP, retryAt, attempts, Optional.empty(), Optional.of(error));
  }

  Job revived(Instant now) {
    return next(JobState.Event.REVIVE, now, 0, Optional.empty(), lastError);
  }

  private Job next(
      JobState.Event event,
      Instant newDue,
      int newAttempts,
      Optional<Id> newClaim,
      Optional<String> error) {
    return new Job(
        id,
        kind,
        payload,
        state.after(event),
        newDue,
        newAttempts,
        deduplication,
        newClaim,
        error,
        createdAt);
  }

  /** How long to wait after this many attempts: doubling, up to the limit. */
  static Duration backoff(StoreConfig.JobRules rules, int attempts) {
    Duration pause = rules.backoff();
    for (int i = 1; i < attempts && pause.compareTo(rules.backoffLimit()) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(rules.backoffLimit()) < 0 ? pause : rules.backoffLimit();
  }

  static Duration bounded(Duration wish, Duration least, Duration most) {
    if (wish.compareTo(least) < 0) {
      return least;
    }
    return wish.compareTo(most) < 0 ? wish : most;
  }
}
