package dev.caliber.lang.syntax;

import dev.caliber.kernel.config.Trigger;

/** What sets something off. */
public sealed interface TriggerNode extends Node {
  record On(Trigger.Event event, Origin origin) implements TriggerNode {}

  record Schedule(Text cron, Origin origin) implements TriggerNode {}
}
