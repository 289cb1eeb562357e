package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that a filter uses fields that the memory's records have. */
final class FilterFieldCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    for (var memoryComparison : semanticModel.comparisons()) {
      var field = memoryComparison.comparison().field();
      if (!semanticModel.damage().isDamaged(memoryComparison.memory())
          && (semanticModel.fieldType(memoryComparison.memory(), field.text()).isEmpty()
              || semanticModel.isMissingColumn(memoryComparison.memory(), field.text()))) {
        diagnostics.report(
            DiagnosticCode.UNKNOWN_FIELD,
            field.span(),
            "memory '"
                + memoryComparison.memory().name().text()
                + "' has no field "
                + DiagnosticText.quote(field.text()),
            () ->
                DiagnosticText.suggest(
                    "field", field.text(), semanticModel.fieldNames(memoryComparison.memory())));
      }
    }
  }
}
