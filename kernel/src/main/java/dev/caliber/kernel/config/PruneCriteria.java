package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Duration;

/** Which records a prune takes. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface PruneCriteria {

  /** Those older than an age; an age of zero takes all. */
  @JsonTypeName("older_than")
  record OlderThan(Duration age) implements PruneCriteria {}

  /** Those whose confidence is less than a number from 0 to 1. */
  @JsonTypeName("below_confidence")
  record BelowConfidence(double confidence) implements PruneCriteria {
    public BelowConfidence {
      Ranges.requireShare("below_confidence", confidence);
    }
  }
}
