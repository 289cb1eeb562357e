package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** Trigger of a policy. Running one by hand is a call, not a trigger. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Trigger {

  /** Event of a trajectory. */
  @JsonTypeName("event")
  record EventTrigger(TrajectoryTriggerEvent event) implements Trigger {}

  /** Time of a schedule, in UTC. */
  @JsonTypeName("schedule")
  record ScheduleTrigger(Cron cron) implements Trigger {}

  /** Events of a trajectory. */
  enum TrajectoryTriggerEvent {
    TASK_START,
    TASK_END,
    SCOPE_CLOSE,
    TURN
  }
}
