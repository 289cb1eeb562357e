package dev.caliber.lang.check;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.TextPattern;
import dev.caliber.kernel.Timestamps;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.FilterNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.ValueNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.function.Consumer;

/** Checks that a field is compared with a value of its type. */
final class FilterValueCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    for (var memoryComparison : semanticModel.comparisons()) {
      semanticModel
          .fieldType(memoryComparison.memory(), memoryComparison.comparison().field().text())
          .filter(type -> !fits(type, memoryComparison.comparison()))
          .ifPresent(type -> report(type, memoryComparison.comparison(), diagnostics));
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
            + FieldTypeRules.word(type)
            + ", and the value is of another type",
        () -> "write " + wanted(type, comparison.comparator()));
  }

  private static boolean fits(FieldType type, FilterNode.Comparison comparison) {
    var value = comparison.value();
    return switch (type) {
      case FieldType.EnumerationFieldType _ ->
          value instanceof TextNode || value instanceof ValueNode.Word;
      case FieldType.PlainFieldType(var primitiveType) ->
          switch (primitiveType) {
            case UUID -> value instanceof ValueNode.CurrentTrajectory || isRead(value, Id::parse);
            case TEXT -> isText(value, comparison.comparator());
            case JSON -> value instanceof TextNode;
            case INT -> value instanceof NumberNode number && isWhole(number);
            case FLOAT -> value instanceof NumberNode;
            case BOOL -> value instanceof BooleanNode;
            case TIMESTAMP ->
                value instanceof ValueNode.CurrentTime || isRead(value, Timestamps::parse);
            case EMBEDDING -> true; // the comparator is reported
          };
    };
  }

  private static boolean isWhole(NumberNode number) {
    return number.value().stripTrailingZeros().scale() <= 0;
  }

  private static boolean isText(ValueNode value, ComparisonOperator comparisonOperator) {
    if (!(value instanceof TextNode(var text, _))) {
      return false;
    }
    return comparisonOperator != ComparisonOperator.MATCHES || isRead(value, TextPattern::of);
  }

  private static boolean isRead(ValueNode value, Consumer<String> reader) {
    if (!(value instanceof TextNode(var text, _))) {
      return false;
    }
    try {
      reader.accept(text);
      return true;
    } catch (KernelException _) {
      return false;
    }
  }

  private static String wanted(FieldType type, ComparisonOperator comparisonOperator) {
    return switch (type) {
      case FieldType.EnumerationFieldType(var values) -> "one of " + DiagnosticText.list(values);
      case FieldType.PlainFieldType(var primitiveType) ->
          switch (primitiveType) {
            case UUID -> "current_trajectory, or a ULID or UUID in quotation marks";
            case TEXT ->
                comparisonOperator == ComparisonOperator.MATCHES
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
