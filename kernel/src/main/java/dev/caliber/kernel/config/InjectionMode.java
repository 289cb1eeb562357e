package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** Selection of a memory's records for a context. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface InjectionMode {

  /** Names of the modes. */
  enum InjectionModeName {
    FULL,
    SUMMARY,
    TOP_K,
    RELEVANT
  }

  /** Selects all records. */
  @JsonTypeName("full")
  record FullInjection() implements InjectionMode {}

  /** Selects the summaries. */
  @JsonTypeName("summary")
  record SummaryInjection() implements InjectionMode {}

  /** Selects the best records, up to a number. */
  @JsonTypeName("top_k")
  record TopKInjection(int count) implements InjectionMode {
    public TopKInjection {
      Ranges.requireAtLeast("top_k", 1, count);
    }
  }

  /** Selects records whose calibrated relevance is at least a number from 0 to 1. */
  @JsonTypeName("relevant")
  record RelevantInjection(double threshold) implements InjectionMode {
    public RelevantInjection {
      Ranges.requireShare("relevant", threshold);
    }
  }
}
