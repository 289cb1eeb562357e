package dev.caliber.lang.check;

import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.TreeSet;

/**
 * Warns about injections into another memory: the grammar allows them, but only targets of the
 * runtime are read.
 */
final class UnusedInjectionCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    var read = new TreeSet<>(semanticModel.catalogue().targets());
    semanticModel
        .injections()
        .filter(injection -> semanticModel.memoriesByName().containsKey(injection.target().text()))
        .filter(injection -> !read.contains(injection.target().text()))
        .forEach(
            injection ->
                diagnostics.report(
                    DiagnosticCode.UNUSED_INJECTION,
                    injection.target().span(),
                    "memory " + targetText(injection) + ", which is never read",
                    "contexts are composed of injections into " + DiagnosticText.list(read)));
  }

  private static String targetText(Definition.Injection injection) {
    String memory = injection.memory().text();
    String target = injection.target().text();
    return DiagnosticText.quote(memory)
        + " is injected into "
        + (memory.equals(target) ? "itself" : "memory " + DiagnosticText.quote(target));
  }
}
