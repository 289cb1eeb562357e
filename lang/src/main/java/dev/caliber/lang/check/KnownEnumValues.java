package dev.caliber.lang.check;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.DurationNode;
import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Text;
import dev.caliber.lang.syntax.ValueNode;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** A field of an enum is compared with one of its values; another is only a warning. */
final class KnownEnumValues implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    var known = new IdentityHashMap<FieldType, Set<String>>();
    for (var use : program.comparisons()) {
      var field = use.comparison().field().text();
      program
          .fieldType(use.memory(), field)
          .ifPresent(
              type -> {
                if (type instanceof FieldType.Enumeration(var values)) {
                  var set = known.computeIfAbsent(type, _ -> new LinkedHashSet<>(values));
                  check(field, set, use.comparison().value(), diagnostics);
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
                    Wording.quote(text) + " is no value of field '" + field + "'",
                    () -> Wording.suggest("value", text, values)));
  }

  private static Optional<String> text(ValueNode value) {
    return switch (value) {
      case Text(var text, _) -> Optional.of(text);
      case ValueNode.Word(var name, _) -> Optional.of(name.text());
      case NumberNode _ -> Optional.empty();
      case Flag _ -> Optional.empty();
      case DurationNode _ -> Optional.empty();
      case ValueNode.Now _ -> Optional.empty();
      case ValueNode.CurrentTrajectory _ -> Optional.empty();
    };
  }
}
