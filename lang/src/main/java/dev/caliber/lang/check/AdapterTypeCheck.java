package dev.caliber.lang.check;

import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that the runtime supports the type of an adapter. */
final class AdapterTypeCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    var supported = semanticModel.catalogue().adapters();
    semanticModel
        .definitions(Definition.Adapter.class)
        .flatMap(adapter -> adapter.fields().stream())
        .forEach(
            field -> {
              if (field instanceof AdapterField.AdapterTypeField(var type, var place, _)
                  && !supported.contains(type)) {
                diagnostics.report(
                    DiagnosticCode.PROVIDER_NOT_SUPPORTED,
                    place.span(),
                    "provider '" + Keywords.word(type) + "' is not supported",
                    "supported: "
                        + DiagnosticText.list(supported.stream().map(Keywords::word).toList()));
              }
            });
  }
}
