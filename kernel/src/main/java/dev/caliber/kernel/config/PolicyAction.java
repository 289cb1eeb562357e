package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Optional;

/** One thing that a policy does. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface PolicyAction {

  /** The memory that the action is about, if it is about one. */
  default Optional<String> target() {
    return switch (this) {
      case Summarize(var memory) -> Optional.of(memory);
      case ExtractArtifacts(var memory) -> Optional.of(memory);
      case Inject(var memory, _) -> Optional.of(memory);
      case Prune(var memory, _) -> Optional.of(memory);
      case Checkpoint(var memory) -> Optional.of(memory);
      case Notify _, Consolidate _ -> Optional.empty();
    };
  }

  /** Stores a summary of the memory. */
  @JsonTypeName("summarize")
  record Summarize(String memory) implements PolicyAction {}

  /** Turns what the memory holds into artifacts. */
  @JsonTypeName("extract_artifacts")
  record ExtractArtifacts(String memory) implements PolicyAction {}

  /** Marks the memory for the context of the trajectory. */
  @JsonTypeName("inject")
  record Inject(String memory, InjectionMode mode) implements PolicyAction {}

  /** Takes records out of the memory. */
  @JsonTypeName("prune")
  record Prune(String memory, PruneCriteria criteria) implements PolicyAction {}

  /** Stores a point to return to. */
  @JsonTypeName("checkpoint")
  record Checkpoint(String memory) implements PolicyAction {}

  /**
   * Makes notes of what a task leaves. No word of the language: a setting of memory asks for it.
   */
  @JsonTypeName("consolidate")
  record Consolidate() implements PolicyAction {}

  /** Tells whoever listens to the channel. */
  @JsonTypeName("notify")
  record Notify(String channel) implements PolicyAction {
    public Notify {
      Names.requireText("channel", channel);
    }
  }
}
