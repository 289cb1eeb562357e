package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Duration;

/** Condition on the records that a prune removes. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface PruneCriteria {

  /** Selects records older than an age; an age of zero selects all. */
  @JsonTypeName("older_than")
  record AgeCriteria(Duration age) implements PruneCriteria {}

  /** Selects records whose confidence is less than a number from 0 to 1. */
  @JsonTypeName("below_confidence")
  record ConfidenceCriteria(double confidence) implements PruneCriteria {
    public ConfidenceCriteria {
      Ranges.requireShare("below_confidence", confidence);
    }
  }
}
