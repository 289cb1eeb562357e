package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.syntax.Definition;
import java.util.HashMap;
import java.util.Map;

/** Memories, policies and adapters have names of their own; injections have none. */
final class UniqueDefinitions implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    Map<String, Definition> first = new HashMap<>();
    for (Definition definition : program.ast().definitions()) {
      if (definition instanceof Definition.Injection) {
        continue;
      }
      var earlier = first.putIfAbsent(Program.title(definition), definition);
      if (earlier != null) {
        diagnostics.report(
            DiagnosticCode.DUPLICATE_DEFINITION,
            Program.head(definition),
            Program.title(definition) + " is defined twice, first in line " + earlier.span().line(),
            "give one of them another name, or make them one");
      }
    }
  }
}
