package dev.caliber.lang.check;

import dev.caliber.kernel.config.Trigger;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.LifecycleNode;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.TriggerNode;

/** A memory is closed by something that ends, not by the task that opens it. */
final class LifecycleSense implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .memoryFields(MemoryField.Lifecycle.class)
        .forEach(
            field -> {
              if (field.lifecycle()
                      instanceof LifecycleNode.AutoClose(TriggerNode.On(var event, var place), _)
                  && event == Trigger.Event.TASK_START) {
                diagnostics.report(
                    DiagnosticCode.INCOMPATIBLE_LIFECYCLE,
                    place.span(),
                    "task_start opens a memory and cannot close it",
                    "write task_end, scope_close, turn or a schedule");
              }
            });
  }
}
