package dev.caliber.store.job;

import java.time.Instant;
import java.util.Optional;

/** Request for a job: its kind, its payload and the earliest time of its start. */
public record JobRequest(String kind, String payload, Instant due, Optional<String> deduplication) {

  public JobRequest {
    if (kind.isBlank()) {
      throw new IllegalArgumentException("A job needs a kind");
    }
  }

  public static JobRequest of(String kind, String payload, Instant due) {
    return new JobRequest(kind, payload, due, Optional.empty());
  }

  /** Adds a deduplication key: only one job with this text waits or runs at a time. */
  public JobRequest withDeduplicationKey(String text) {
    return new JobRequest(kind, payload, due, Optional.of(text));
  }
}
