package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Optional;

/** One action of a policy. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface PolicyAction {

  /** Returns the memory of the action, if it has one. */
  default Optional<String> target() {
    return switch (this) {
      case SummarizeAction(var memory) -> Optional.of(memory);
      case ExtractArtifactsAction(var memory) -> Optional.of(memory);
      case InjectAction(var memory, _) -> Optional.of(memory);
      case PruneAction(var memory, _) -> Optional.of(memory);
      case CheckpointAction(var memory) -> Optional.of(memory);
      case NotifyAction _, ConsolidateAction _ -> Optional.empty();
    };
  }

  /** Stores a summary of the memory. */
  @JsonTypeName("summarize")
  record SummarizeAction(String memory) implements PolicyAction {}

  /** Extracts artifacts from the records of the memory. */
  @JsonTypeName("extract_artifacts")
  record ExtractArtifactsAction(String memory) implements PolicyAction {}

  /** Marks the memory for the context of the trajectory. */
  @JsonTypeName("inject")
  record InjectAction(String memory, InjectionMode mode) implements PolicyAction {}

  /** Removes records from the memory. */
  @JsonTypeName("prune")
  record PruneAction(String memory, PruneCriteria criteria) implements PolicyAction {}

  /** Stores a checkpoint to return to. */
  @JsonTypeName("checkpoint")
  record CheckpointAction(String memory) implements PolicyAction {}

  /**
   * Consolidates the records of an ended task into notes. It is no keyword of the language: a
   * setting of memory enables it.
   */
  @JsonTypeName("consolidate")
  record ConsolidateAction() implements PolicyAction {}

  /** Notifies the listeners of a channel. */
  @JsonTypeName("notify")
  record NotifyAction(String channel) implements PolicyAction {
    public NotifyAction {
      DefinitionRules.requireText("channel", channel);
    }
  }
}
