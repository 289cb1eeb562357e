package dev.caliber.lang.check;

import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.FieldNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import java.util.List;

/** Checks that a definition has every field without a default. */
final class RequiredFieldCheck implements ConfigCheck {
  private static final List<String> MEMORY = List.of("type", "schema", "retention");
  private static final List<String> ADAPTER = List.of("type", "connection");
  private static final List<String> INJECTION = List.of("mode", "priority", "max_tokens");

  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    for (Definition definition : semanticModel.ast().definitions()) {
      if (semanticModel.damage().isDamaged(definition)) {
        continue;
      }
      switch (definition) {
        case Definition.Memory(_, var fields, _) ->
            require(definition, MEMORY, fields, diagnostics);
        case Definition.Adapter(_, var fields, _) ->
            require(definition, ADAPTER, fields, diagnostics);
        case Definition.Injection(_, _, var fields, _) ->
            require(definition, INJECTION, fields, diagnostics);
        case Definition.Policy _ -> {}
      }
    }
  }

  private static void require(
      Definition definition,
      List<String> required,
      List<? extends FieldNode> fields,
      Diagnostics diagnostics) {
    var missing =
        required.stream()
            .filter(word -> fields.stream().noneMatch(field -> field.word().equals(word)))
            .toList();
    for (String word : missing) {
      diagnostics.report(
          DiagnosticCode.MISSING_FIELD,
          SemanticModel.nameSpan(definition),
          SemanticModel.title(definition) + " has no '" + word + "'",
          "add '" + word + ": …'; there is no default");
    }
  }
}
