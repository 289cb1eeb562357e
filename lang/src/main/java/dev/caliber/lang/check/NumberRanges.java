package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.ActionNode;
import dev.caliber.lang.syntax.CriteriaNode;
import dev.caliber.lang.syntax.DurationNode;
import dev.caliber.lang.syntax.InjectionField;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.ModeNode;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.RetentionNode;
import java.math.BigDecimal;

/** Shares are from 0 to 1; counts are whole and not too small. A whole number may be a share. */
final class NumberRanges implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .memoryFields(MemoryField.Retention.class)
        .forEach(
            field -> {
              switch (field.retention()) {
                case RetentionNode.Max(var count, _) -> count("max", 1, count, diagnostics);
                case RetentionNode.For(var duration, _) -> positive(duration, diagnostics);
                case RetentionNode.Persistent _,
                    RetentionNode.Session _,
                    RetentionNode.Scope _,
                    RetentionNode.CompressOn _ -> {}
              }
            });
    program.actions().forEach(action -> action(action, diagnostics));
    program
        .injections()
        .flatMap(injection -> injection.fields().stream())
        .forEach(field -> injection(field, diagnostics));
  }

  /** Records that stay for no time at all were never written. */
  private static void positive(DurationNode duration, Diagnostics diagnostics) {
    if (duration.amount() == 0) {
      diagnostics.report(
          DiagnosticCode.OUT_OF_RANGE,
          duration.span(),
          duration.amount() + " is out of range",
          "retention takes a duration above 0, such as 30d");
    }
  }

  private static void action(ActionNode action, Diagnostics diagnostics) {
    if (action instanceof ActionNode.Inject(_, var mode, _)) {
      mode(mode, diagnostics);
    }
    if (action instanceof ActionNode.Prune(_, CriteriaNode.BelowConfidence(var confidence, _), _)) {
      share("below_confidence", confidence, diagnostics);
    }
  }

  private static void injection(InjectionField field, Diagnostics diagnostics) {
    switch (field) {
      case InjectionField.Mode(var mode, _) -> mode(mode, diagnostics);
      case InjectionField.Priority(var priority, _) -> count("priority", 0, priority, diagnostics);
      case InjectionField.MaxTokens(var tokens, _) -> count("max_tokens", 1, tokens, diagnostics);
      case InjectionField.Where _ -> {}
    }
  }

  private static void mode(ModeNode mode, Diagnostics diagnostics) {
    switch (mode) {
      case ModeNode.TopK(var count, _) -> count("top_k", 1, count, diagnostics);
      case ModeNode.Relevant(var threshold, _) -> share("relevant", threshold, diagnostics);
      case ModeNode.Full _, ModeNode.Summary _ -> {}
    }
  }

  private static void count(String what, int least, NumberNode number, Diagnostics diagnostics) {
    boolean whole = number.value().stripTrailingZeros().scale() <= 0;
    require(
        whole && within(number, least, Integer.MAX_VALUE),
        what + " takes a whole number from " + least + " to " + Integer.MAX_VALUE,
        number,
        diagnostics);
  }

  private static void share(String what, NumberNode number, Diagnostics diagnostics) {
    require(within(number, 0, 1), what + " takes a number from 0 to 1", number, diagnostics);
  }

  private static boolean within(NumberNode number, int least, int most) {
    return number.value().compareTo(BigDecimal.valueOf(least)) >= 0
        && number.value().compareTo(BigDecimal.valueOf(most)) <= 0;
  }

  private static void require(
      boolean right, String wanted, NumberNode number, Diagnostics diagnostics) {
    if (!right) {
      diagnostics.report(
          DiagnosticCode.OUT_OF_RANGE,
          number.span(),
          number.value().toPlainString() + " is out of range",
          wanted);
    }
  }
}
