package dev.caliber.lang.check;

import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.NameNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks that no memory is its own parent, even through others; reports each cycle once. */
final class ParentCycleCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    Map<String, NameNode> parents = new HashMap<>();
    semanticModel
        .memoriesByName()
        .forEach(
            (name, memory) ->
                SemanticModel.fields(memory, MemoryField.Parent.class)
                    .findFirst()
                    .ifPresent(parent -> parents.put(name, parent.memory())));
    var settled = new HashSet<String>();
    for (String start : semanticModel.memoriesByName().keySet()) {
      var path = new LinkedHashSet<String>();
      String current = start;
      while (parents.containsKey(current) && !settled.contains(current) && path.add(current)) {
        current = Objects.requireNonNull(parents.get(current)).text();
      }
      if (path.contains(current)) {
        report(current, path, parents, diagnostics);
      }
      settled.addAll(path);
    }
  }

  private static void report(
      String again, Set<String> path, Map<String, NameNode> parents, Diagnostics diagnostics) {
    List<String> cycle = new ArrayList<>(path);
    cycle = new ArrayList<>(cycle.subList(cycle.indexOf(again), cycle.size()));
    var closing = Objects.requireNonNull(parents.get(cycle.getLast()));
    cycle.add(again);
    diagnostics.report(
        DiagnosticCode.PARENT_CYCLE,
        closing.span(),
        "memories are each other's parents: " + DiagnosticText.list(cycle).replace(", ", " → "),
        "leave out one 'parent'");
  }
}
