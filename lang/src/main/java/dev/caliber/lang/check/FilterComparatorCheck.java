package dev.caliber.lang.check;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.ast.FilterNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that the type of a field allows its comparison. */
final class FilterComparatorCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    for (var memoryComparison : semanticModel.comparisons()) {
      semanticModel
          .fieldType(memoryComparison.memory(), memoryComparison.comparison().field().text())
          .ifPresent(type -> check(type, memoryComparison.comparison(), diagnostics));
    }
  }

  private static void check(
      FieldType type, FilterNode.Comparison comparison, Diagnostics diagnostics) {
    var allowed = FieldTypeRules.allowedComparators(type);
    if (!allowed.contains(comparison.comparator())) {
      diagnostics.report(
          DiagnosticCode.WRONG_COMPARATOR,
          comparison.comparatorOrigin().span(),
          "field '"
              + comparison.field().text()
              + "' is "
              + FieldTypeRules.word(type)
              + " and cannot be compared with '"
              + comparison.comparator().symbol()
              + "'",
          allowed.isEmpty()
              ? "leave the comparison out: no filter reads such a field"
              : "use one of " + FieldTypeRules.symbols(allowed));
    }
  }
}
