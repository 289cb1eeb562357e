package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;

/** A filter is about fields that the memory's records have. */
final class KnownFilterFields implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    for (var use : program.comparisons()) {
      var field = use.comparison().field();
      if (!program.damage().to(use.memory())
          && (program.fieldType(use.memory(), field.text()).isEmpty()
              || program.lacks(use.memory(), field.text()))) {
        diagnostics.report(
            DiagnosticCode.UNKNOWN_FIELD,
            field.span(),
            "memory '"
                + use.memory().name().text()
                + "' has no field "
                + Wording.quote(field.text()),
            () -> Wording.suggest("field", field.text(), program.fieldNames(use.memory())));
      }
    }
  }
}
