package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Definition;
import java.util.TreeSet;

/** Checks that memories are injected into a target of the runtime or into another memory. */
final class KnownTargets implements ConfigCheck {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    var known = new TreeSet<>(program.catalogue().targets());
    known.addAll(program.memoriesByName().keySet());
    if (program.damage().definitionsLost()) {
      return;
    }
    program
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
