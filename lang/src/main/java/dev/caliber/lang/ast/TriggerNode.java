package dev.caliber.lang.ast;

import dev.caliber.kernel.config.Trigger;

/** The trigger of an action. */
public sealed interface TriggerNode extends Node {
  record On(Trigger.TrajectoryTriggerEvent event, NodeOrigin origin) implements TriggerNode {}

  record Schedule(TextNode cron, NodeOrigin origin) implements TriggerNode {}
}
