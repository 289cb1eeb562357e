package dev.caliber.lang.check;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.TextPattern;
import dev.caliber.kernel.Timestamps;
import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.FilterNode;
import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Text;
import dev.caliber.lang.syntax.ValueNode;
import java.util.function.Consumer;

/** A field is compared with a value of its type. */
final class FilterValueTypes implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    for (var use : program.comparisons()) {
      program
          .fieldType(use.memory(), use.comparison().field().text())
          .filter(type -> !fits(type, use.comparison()))
          .ifPresent(type -> report(type, use.comparison(), diagnostics));
    }
  }

  private static void report(
      FieldType type, FilterNode.Comparison comparison, Diagnostics diagnostics) {
    diagnostics.report(
        DiagnosticCode.WRONG_VALUE_TYPE,
        comparison.value().span(),
        "field '"
            + comparison.field().text()
            + "' is "
            + FieldTypes.word(type)
            + ", and this is no value of it",
        () -> "write " + wanted(type, comparison.comparator()));
  }

  private static boolean fits(FieldType type, FilterNode.Comparison comparison) {
    var value = comparison.value();
    return switch (type) {
      case FieldType.Enumeration _ -> value instanceof Text || value instanceof ValueNode.Word;
      case FieldType.Plain(var primitive) ->
          switch (primitive) {
            case UUID -> value instanceof ValueNode.CurrentTrajectory || isRead(value, Id::parse);
            case TEXT -> isText(value, comparison.comparator());
            case JSON -> value instanceof Text;
            case INT -> value instanceof NumberNode number && isWhole(number);
            case FLOAT -> value instanceof NumberNode;
            case BOOL -> value instanceof Flag;
            case TIMESTAMP -> value instanceof ValueNode.Now || isRead(value, Timestamps::parse);
            case EMBEDDING -> true; // the comparator is reported
          };
    };
  }

  private static boolean isWhole(NumberNode number) {
    return number.value().stripTrailingZeros().scale() <= 0;
  }

  private static boolean isText(ValueNode value, Comparator comparator) {
    if (!(value instanceof Text(var text, _))) {
      return false;
    }
    return comparator != Comparator.MATCHES || isRead(value, TextPattern::of);
  }

  private static boolean isRead(ValueNode value, Consumer<String> reader) {
    if (!(value instanceof Text(var text, _))) {
      return false;
    }
    try {
      reader.accept(text);
      return true;
    } catch (KernelException _) {
      return false;
    }
  }

  private static String wanted(FieldType type, Comparator comparator) {
    return switch (type) {
      case FieldType.Enumeration(var values) -> "one of " + Wording.list(values);
      case FieldType.Plain(var primitive) ->
          switch (primitive) {
            case UUID -> "current_trajectory, or a ULID or UUID in quotation marks";
            case TEXT ->
                comparator == Comparator.MATCHES
                    ? "a regular expression (RE2) in quotation marks, of at most %d characters and %d repetitions"
                        .formatted(TextPattern.LONGEST, TextPattern.MOST_REPETITIONS)
                    : "a text in quotation marks";
            case JSON -> "a text in quotation marks";
            case INT -> "a whole number";
            case FLOAT -> "a number";
            case BOOL -> "true or false";
            case TIMESTAMP -> "now() or a time such as \"2026-01-31T12:00:00Z\"";
            case EMBEDDING -> "no comparison";
          };
    };
  }
}
