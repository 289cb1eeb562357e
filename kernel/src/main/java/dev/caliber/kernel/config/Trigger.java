package dev.caliber.kernel.config;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** What sets a policy off. To run one by hand is a call, not a trigger. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Trigger {

  /** Something happens to a trajectory. */
  @JsonTypeName("event")
  record On(Event event) implements Trigger {}

  /** The clock says so, in UTC. */
  @JsonTypeName("schedule")
  record Schedule(Cron cron) implements Trigger {}

  /** What happens to a trajectory. */
  enum Event {
    TASK_START,
    TASK_END,
    SCOPE_CLOSE,
    TURN
  }
}
