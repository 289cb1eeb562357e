package dev.caliber.lang.check;

import dev.caliber.kernel.config.Trigger;
import dev.caliber.lang.ast.LifecycleNode;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.TriggerNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.Locale;

/** Checks that a memory is closed by the end of a scope or of a task only. */
final class LifecycleCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .memoryFields(MemoryField.Lifecycle.class)
        .forEach(
            field -> {
              if (field.lifecycle() instanceof LifecycleNode.AutoClose(var trigger, _)
                  && !isEnd(trigger)) {
                diagnostics.report(
                    DiagnosticCode.INCOMPATIBLE_LIFECYCLE,
                    trigger.span(),
                    triggerText(trigger)
                        + " ends neither a scope nor a task, so it cannot close a memory",
                    "write scope_close or task_end, or explicit");
              }
            });
  }

  private static boolean isEnd(TriggerNode trigger) {
    return trigger instanceof TriggerNode.On(var trajectoryTriggerEvent, _)
        && (trajectoryTriggerEvent == Trigger.TrajectoryTriggerEvent.TASK_END
            || trajectoryTriggerEvent == Trigger.TrajectoryTriggerEvent.SCOPE_CLOSE);
  }

  private static String triggerText(TriggerNode trigger) {
    return switch (trigger) {
      case TriggerNode.On(var trajectoryTriggerEvent, _) ->
          trajectoryTriggerEvent.name().toLowerCase(Locale.ROOT);
      case TriggerNode.Schedule _ -> "a schedule";
    };
  }
}
