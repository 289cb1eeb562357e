package dev.caliber.lang.check;

import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.HashMap;
import java.util.Map;

/** Checks that names of memories, policies and adapters are unique; injections have no names. */
final class DuplicateDefinitionCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    Map<String, Definition> first = new HashMap<>();
    for (Definition definition : semanticModel.ast().definitions()) {
      if (definition instanceof Definition.Injection) {
        continue;
      }
      var earlier = first.putIfAbsent(SemanticModel.title(definition), definition);
      if (earlier != null) {
        diagnostics.report(
            DiagnosticCode.DUPLICATE_DEFINITION,
            SemanticModel.nameSpan(definition),
            SemanticModel.title(definition)
                + " is defined twice, first in line "
                + earlier.span().line(),
            "rename one of them, or merge them");
      }
    }
  }
}
