package dev.caliber.lang.check;

import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.ast.TypeNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that channels, connections, artifact types and values of an enum are not blank. */
final class BlankTextCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .actions()
        .forEach(
            action -> {
              if (action instanceof ActionNode.Notify(var channel, _)) {
                require("a channel", channel, diagnostics);
              }
            });
    semanticModel
        .definitions(Definition.Adapter.class)
        .flatMap(adapter -> adapter.fields().stream())
        .forEach(
            field -> {
              if (field instanceof AdapterField.Connection(var connection, _)) {
                require("a connection", connection, diagnostics);
              }
            });
    semanticModel
        .memoryFields(MemoryField.Artifacts.class)
        .flatMap(artifacts -> artifacts.types().stream())
        .forEach(type -> require("an artifact type", type, diagnostics));
    semanticModel
        .memories()
        .flatMap(SemanticModel::schema)
        .forEach(
            field -> {
              if (field.type() instanceof TypeNode.Enumeration(var values, _)) {
                values.forEach(value -> require("a value of an enum", value, diagnostics));
              }
            });
  }

  private static void require(String what, TextNode textNode, Diagnostics diagnostics) {
    if (textNode.value().isBlank()) {
      diagnostics.report(
          DiagnosticCode.EMPTY_TEXT, textNode.span(), what + " is empty", "write a name");
    }
  }
}
