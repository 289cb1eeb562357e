package dev.caliber.lang.check;

import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.TreeSet;

/** Checks that memories are injected into a target of the runtime or into another memory. */
final class InjectionTargetCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    var known = new TreeSet<>(semanticModel.catalogue().targets());
    known.addAll(semanticModel.memoriesByName().keySet());
    if (semanticModel.damage().definitionsLost()) {
      return;
    }
    semanticModel
        .injections()
        .map(Definition.Injection::target)
        .filter(target -> !known.contains(target.text()))
        .forEach(
            target ->
                diagnostics.report(
                    DiagnosticCode.UNKNOWN_TARGET,
                    target.span(),
                    "unknown target " + DiagnosticText.quote(target.text()),
                    () -> DiagnosticText.suggest("target", target.text(), known)));
  }
}
