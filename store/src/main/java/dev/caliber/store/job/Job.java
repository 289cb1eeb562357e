package dev.caliber.store.job;

import dev.caliber.kernel.Id;
import dev.caliber.store.StoreConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Deferred work that is stored in the database.
 *
 * @param payload JSON text that only the kind's handler understands
 * @param due when a ready job may be claimed, when a running one's lease ends, or when a dead one
 *     would have been retried
 * @param attempts the number of times it has been claimed
 * @param deduplication while a job of this kind with this text exists, no other one is added
 * @param claim id of the present attempt: an attempt that was taken over can no longer finish
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

  Job withClaim(Id newClaim, Instant leaseEnd) {
    return transition(
        JobState.JobTransition.CLAIM, leaseEnd, attempts + 1, Optional.of(newClaim), lastError);
  }

  Job withLeaseEnd(Instant leaseEnd) {
    return new Job(
        id, kind, payload, state, leaseEnd, attempts, deduplication, claim, lastError, createdAt);
  }

  Job withFailure(String error, Instant retryAt) {
    return transition(
        JobState.JobTransition.FAIL, retryAt, attempts, Optional.empty(), Optional.of(error));
  }

  /** Returns this job as dead; its due time is when the next attempt would have been made. */
  Job asDead(String error, Instant retryAt) {
    return transition(
        JobState.JobTransition.GIVE_UP, retryAt, attempts, Optional.empty(), Optional.of(error));
  }

  Job asReady(Instant now) {
    return transition(JobState.JobTransition.REVIVE, now, 0, Optional.empty(), lastError);
  }

  private Job transition(
      JobState.JobTransition jobTransition,
      Instant newDue,
      int newAttempts,
      Optional<Id> newClaim,
      Optional<String> error) {
    return new Job(
        id,
        kind,
        payload,
        state.next(jobTransition),
        newDue,
        newAttempts,
        deduplication,
        newClaim,
        error,
        createdAt);
  }

  /** Returns the pause after this number of attempts: doubled each time, up to the limit. */
  static Duration backoff(StoreConfig.JobSettings rules, int attempts) {
    Duration pause = rules.backoff();
    for (int i = 1; i < attempts && pause.compareTo(rules.backoffLimit()) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(rules.backoffLimit()) < 0 ? pause : rules.backoffLimit();
  }

  static Duration clamp(Duration wish, Duration least, Duration most) {
    if (wish.compareTo(least) < 0) {
      return least;
    }
    return wish.compareTo(most) < 0 ? wish : most;
  }
}
