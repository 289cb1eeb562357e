package dev.caliber.lang.check;

import dev.caliber.kernel.config.Trigger;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.LifecycleNode;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.TriggerNode;
import java.util.Locale;

/** A memory is closed by the end of a scope or of a task, and by nothing else. */
final class LifecycleSense implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .memoryFields(MemoryField.Lifecycle.class)
        .forEach(
            field -> {
              if (field.lifecycle() instanceof LifecycleNode.AutoClose(var trigger, _)
                  && !isEnd(trigger)) {
                diagnostics.report(
                    DiagnosticCode.INCOMPATIBLE_LIFECYCLE,
                    trigger.span(),
                    named(trigger) + " ends neither a scope nor a task, and closes nothing",
                    "write scope_close or task_end, or explicit");
              }
            });
  }

  private static boolean isEnd(TriggerNode trigger) {
    return trigger instanceof TriggerNode.On(var event, _)
        && (event == Trigger.Event.TASK_END || event == Trigger.Event.SCOPE_CLOSE);
  }

  private static String named(TriggerNode trigger) {
    return switch (trigger) {
      case TriggerNode.On(var event, _) -> event.name().toLowerCase(Locale.ROOT);
      case TriggerNode.Schedule _ -> "a schedule";
    };
  }
}
