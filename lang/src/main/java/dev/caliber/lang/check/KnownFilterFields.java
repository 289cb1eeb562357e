package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that a filter uses fields that the memory's records have. */
final class KnownFilterFields implements ConfigCheck {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    for (var memoryComparison : program.comparisons()) {
      var field = memoryComparison.comparison().field();
      if (!program.damage().isDamaged(memoryComparison.memory())
          && (program.fieldType(memoryComparison.memory(), field.text()).isEmpty()
              || program.isMissingColumn(memoryComparison.memory(), field.text()))) {
        diagnostics.report(
            DiagnosticCode.UNKNOWN_FIELD,
            field.span(),
            "memory '"
                + memoryComparison.memory().name().text()
                + "' has no field "
                + DiagnosticText.quote(field.text()),
            () ->
                DiagnosticText.suggest(
                    "field", field.text(), program.fieldNames(memoryComparison.memory())));
      }
    }
  }
}
