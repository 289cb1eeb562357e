package dev.caliber.store;

import java.time.Instant;
import java.util.Optional;

/** What to do, and not before when. */
public record JobRequest(String kind, String payload, Instant due, Optional<String> deduplication) {

  public JobRequest {
    if (kind.isBlank()) {
      throw new IllegalArgumentException("A job needs a kind");
    }
  }

  public static JobRequest of(String kind, String payload, Instant due) {
    return new JobRequest(kind, payload, due, Optional.empty());
  }

  /** Lets one job with this text wait or run at a time. */
  public JobRequest once(String text) {
    return new JobRequest(kind, payload, due, Optional.of(text));
  }
}
