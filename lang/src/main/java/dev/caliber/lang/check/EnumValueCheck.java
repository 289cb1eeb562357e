package dev.caliber.lang.check;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.DurationNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.ValueNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Warns if an enum field is compared with a value that the enum does not have. */
final class EnumValueCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    var known = new IdentityHashMap<FieldType, Set<String>>();
    for (var memoryComparison : semanticModel.comparisons()) {
      var field = memoryComparison.comparison().field().text();
      semanticModel
          .fieldType(memoryComparison.memory(), field)
          .ifPresent(
              type -> {
                if (type instanceof FieldType.EnumerationFieldType(var values)) {
                  var set = known.computeIfAbsent(type, _ -> new LinkedHashSet<>(values));
                  check(field, set, memoryComparison.comparison().value(), diagnostics);
                }
              });
    }
  }

  private static void check(
      String field, Set<String> values, ValueNode value, Diagnostics diagnostics) {
    text(value)
        .filter(text -> !values.contains(text))
        .ifPresent(
            text ->
                diagnostics.report(
                    DiagnosticCode.UNKNOWN_ENUM_VALUE,
                    value.span(),
                    DiagnosticText.quote(text) + " is not a value of field '" + field + "'",
                    () -> DiagnosticText.suggest("value", text, values)));
  }

  private static Optional<String> text(ValueNode value) {
    return switch (value) {
      case TextNode(var text, _) -> Optional.of(text);
      case ValueNode.Word(var nameNode, _) -> Optional.of(nameNode.text());
      case NumberNode _ -> Optional.empty();
      case BooleanNode _ -> Optional.empty();
      case DurationNode _ -> Optional.empty();
      case ValueNode.CurrentTime _ -> Optional.empty();
      case ValueNode.CurrentTrajectory _ -> Optional.empty();
    };
  }
}
