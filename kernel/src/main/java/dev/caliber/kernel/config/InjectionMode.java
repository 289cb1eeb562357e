package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** How much of a memory goes into a context. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface InjectionMode {

  /** What the modes are called. */
  enum Word {
    FULL,
    SUMMARY,
    TOP_K,
    RELEVANT
  }

  /** Everything. */
  @JsonTypeName("full")
  record Full() implements InjectionMode {}

  /** Its summaries. */
  @JsonTypeName("summary")
  record Summary() implements InjectionMode {}

  /** The best, up to a number. */
  @JsonTypeName("top_k")
  record TopK(int count) implements InjectionMode {
    public TopK {
      Ranges.requireAtLeast("top_k", 1, count);
    }
  }

  /** Those whose calibrated relevance is at least a number from 0 to 1. */
  @JsonTypeName("relevant")
  record Relevant(double threshold) implements InjectionMode {
    public Relevant {
      Ranges.requireShare("relevant", threshold);
    }
  }
}
