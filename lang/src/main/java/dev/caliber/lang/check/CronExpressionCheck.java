package dev.caliber.lang.check;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.config.Cron;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.RetentionNode;
import dev.caliber.lang.ast.RuleNode;
import dev.caliber.lang.ast.TriggerNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.stream.Stream;

/** Checks that schedules are cron expressions, and that their dates exist. */
final class CronExpressionCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    triggers(semanticModel)
        .forEach(
            trigger -> {
              if (trigger instanceof TriggerNode.Schedule schedule) {
                check(schedule, diagnostics);
              }
            });
  }

  private static Stream<TriggerNode> triggers(SemanticModel semanticModel) {
    return Stream.of(
            semanticModel.rules().map(RuleNode::trigger),
            semanticModel
                .memoryFields(MemoryField.InjectOn.class)
                .flatMap(field -> field.triggers().stream()),
            semanticModel
                .memoryFields(MemoryField.Retention.class)
                .flatMap(field -> trigger(field.retention())))
        .flatMap(triggers -> triggers);
  }

  private static Stream<TriggerNode> trigger(RetentionNode retention) {
    return retention instanceof RetentionNode.CompressOn(var trigger, _)
        ? Stream.of(trigger)
        : Stream.of();
  }

  private static void check(TriggerNode.Schedule schedule, Diagnostics diagnostics) {
    try {
      Cron.parse(schedule.cron().value());
    } catch (KernelException e) {
      diagnostics.report(
          DiagnosticCode.INVALID_CRON,
          schedule.cron().span(),
          e.message(),
          "write minute, hour, day, month and weekday, such as \"0 3 * * MON-FRI\"");
    }
  }
}
