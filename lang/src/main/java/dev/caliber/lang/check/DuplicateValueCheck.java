package dev.caliber.lang.check;

import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.Node;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.TriggerNode;
import dev.caliber.lang.ast.TypeNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.HashSet;
import java.util.List;

/** Checks that lists have no value twice: those of an enum, artifact types, triggers. */
final class DuplicateValueCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .memories()
        .flatMap(SemanticModel::schema)
        .forEach(
            field -> {
              if (field.type() instanceof TypeNode.Enumeration(var values, _)) {
                requireUnique(values, diagnostics);
              }
            });
    semanticModel
        .memoryFields(MemoryField.Artifacts.class)
        .forEach(artifacts -> requireUnique(artifacts.types(), diagnostics));
    semanticModel
        .memoryFields(MemoryField.InjectOn.class)
        .forEach(injectOn -> requireUnique(injectOn.triggers(), diagnostics));
  }

  /** Compares nodes by content, not by position. */
  private static void requireUnique(List<? extends Node> values, Diagnostics diagnostics) {
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
    return value instanceof TextNode(var text, _)
        ? DiagnosticText.quote(text)
        : value instanceof TriggerNode.On(var trajectoryTriggerEvent, _)
            ? DiagnosticText.quote(Keywords.word(trajectoryTriggerEvent))
            : "this schedule";
  }
}
