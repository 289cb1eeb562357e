package dev.caliber.lang.check;

import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.FilterNode;

/** A field is compared in a way that its type allows. */
final class FilterComparators implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    for (var use : program.comparisons()) {
      program
          .fieldType(use.memory(), use.comparison().field().text())
          .ifPresent(type -> check(type, use.comparison(), diagnostics));
    }
  }

  private static void check(
      FieldType type, FilterNode.Comparison comparison, Diagnostics diagnostics) {
    var allowed = FieldTypes.comparators(type);
    if (!allowed.contains(comparison.comparator())) {
      diagnostics.report(
          DiagnosticCode.WRONG_COMPARATOR,
          comparison.comparatorOrigin().span(),
          "field '"
              + comparison.field().text()
              + "' is "
              + FieldTypes.word(type)
              + " and cannot be compared with '"
              + comparison.comparator().symbol()
              + "'",
          allowed.isEmpty()
              ? "leave the comparison out: no filter reads such a field"
              : "use one of " + FieldTypes.symbols(allowed));
    }
  }
}
