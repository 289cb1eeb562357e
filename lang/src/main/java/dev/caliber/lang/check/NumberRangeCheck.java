package dev.caliber.lang.check;

import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.CriteriaNode;
import dev.caliber.lang.ast.DurationNode;
import dev.caliber.lang.ast.InjectionField;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.ModeNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.RetentionNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.math.BigDecimal;

/** Checks that shares are from 0 to 1, and that counts are whole and in range. */
final class NumberRangeCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .memoryFields(MemoryField.Retention.class)
        .forEach(
            field -> {
              switch (field.retention()) {
                case RetentionNode.Max(var count, _) -> requireCount("max", 1, count, diagnostics);
                case RetentionNode.For(var duration, _) -> requirePositive(duration, diagnostics);
                case RetentionNode.Persistent _,
                    RetentionNode.SessionRetentionNode _,
                    RetentionNode.ScopeRetentionNode _,
                    RetentionNode.CompressOn _ -> {}
              }
            });
    semanticModel.actions().forEach(action -> checkAction(action, diagnostics));
    semanticModel
        .injections()
        .flatMap(injection -> injection.fields().stream())
        .forEach(field -> checkInjection(field, diagnostics));
  }

  /** Checks that a retention is above 0; a record kept for no time could not be read. */
  private static void requirePositive(DurationNode duration, Diagnostics diagnostics) {
    if (duration.amount() == 0) {
      diagnostics.report(
          DiagnosticCode.OUT_OF_RANGE,
          duration.span(),
          duration.amount() + " is out of range",
          "retention takes a duration above 0, such as 30d");
    }
  }

  private static void checkAction(ActionNode action, Diagnostics diagnostics) {
    if (action instanceof ActionNode.Inject(_, var mode, _)) {
      checkMode(mode, diagnostics);
    }
    if (action instanceof ActionNode.Prune(_, CriteriaNode.BelowConfidence(var confidence, _), _)) {
      requireShare("below_confidence", confidence, diagnostics);
    }
  }

  private static void checkInjection(InjectionField field, Diagnostics diagnostics) {
    switch (field) {
      case InjectionField.Mode(var mode, _) -> checkMode(mode, diagnostics);
      case InjectionField.Priority(var priority, _) ->
          requireCount("priority", 0, priority, diagnostics);
      case InjectionField.MaxTokens(var tokens, _) ->
          requireCount("max_tokens", 1, tokens, diagnostics);
      case InjectionField.Where _ -> {}
    }
  }

  private static void checkMode(ModeNode mode, Diagnostics diagnostics) {
    switch (mode) {
      case ModeNode.TopK(var count, _) -> requireCount("top_k", 1, count, diagnostics);
      case ModeNode.Relevant(var threshold, _) -> requireShare("relevant", threshold, diagnostics);
      case ModeNode.Full _, ModeNode.Summary _ -> {}
    }
  }

  private static void requireCount(
      String what, int least, NumberNode number, Diagnostics diagnostics) {
    boolean whole = number.value().stripTrailingZeros().scale() <= 0;
    require(
        whole && isWithin(number, least, Integer.MAX_VALUE),
        what + " takes a whole number from " + least + " to " + Integer.MAX_VALUE,
        number,
        diagnostics);
  }

  private static void requireShare(String what, NumberNode number, Diagnostics diagnostics) {
    require(isWithin(number, 0, 1), what + " takes a number from 0 to 1", number, diagnostics);
  }

  private static boolean isWithin(NumberNode number, int least, int most) {
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
