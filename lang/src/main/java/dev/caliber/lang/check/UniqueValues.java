package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.Keywords;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.Node;
import dev.caliber.lang.syntax.Text;
import dev.caliber.lang.syntax.TriggerNode;
import dev.caliber.lang.syntax.TypeNode;
import java.util.HashSet;
import java.util.List;

/** Lists of values have no value twice: those of an enum, artifact types, triggers. */
final class UniqueValues implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .memories()
        .flatMap(Program::schema)
        .forEach(
            field -> {
              if (field.type() instanceof TypeNode.Enumeration(var values, _)) {
                unique(values, diagnostics);
              }
            });
    program
        .memoryFields(MemoryField.Artifacts.class)
        .forEach(artifacts -> unique(artifacts.types(), diagnostics));
    program
        .memoryFields(MemoryField.InjectOn.class)
        .forEach(injectOn -> unique(injectOn.triggers(), diagnostics));
  }

  /** Nodes are equal when they say the same. */
  private static void unique(List<? extends Node> values, Diagnostics diagnostics) {
    var seen = new HashSet<Node>();
    for (Node value : values) {
      if (!seen.add(value)) {
        diagnostics.report(
            DiagnosticCode.DUPLICATE_VALUE,
            value.span(),
            describe(value) + " is listed twice",
            "keep one of them");
      }
    }
  }

  private static String describe(Node value) {
    return value instanceof Text(var text, _)
        ? Wording.quote(text)
        : value instanceof TriggerNode.On(var event, _)
            ? Wording.quote(Keywords.word(event))
            : "this schedule";
  }
}
