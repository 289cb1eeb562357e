package dev.caliber.lang.check;

import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.prompt.ReferenceScanner;
import dev.caliber.lang.syntax.TextSpanLocator;

/** Checks that connections and options name variables of secrets instead of the secrets. */
final class AdapterSecretCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .definitions(Definition.Adapter.class)
        .flatMap(adapter -> adapter.fields().stream())
        .forEach(field -> check(field, diagnostics));
  }

  private static void check(AdapterField field, Diagnostics diagnostics) {
    switch (field) {
      case AdapterField.AdapterTypeField _ -> {}
      case AdapterField.Connection(var connection, _) -> check(connection, diagnostics);
      case AdapterField.Options(var options, _) -> check(options, diagnostics);
    }
  }

  /* The depth is bounded by the grammar. */
  private static void check(JsonValueNode value, Diagnostics diagnostics) {
    switch (value) {
      case TextNode textNode -> reportSecretShape(textNode, diagnostics);
      case JsonValueNode.Items(var values, _) -> values.forEach(v -> check(v, diagnostics));
      case JsonValueNode.Members(var members, _) ->
          members.forEach(member -> check(member, diagnostics));
      case NumberNode _, BooleanNode _, JsonValueNode.NullValue _ -> {}
    }
  }

  private static boolean reportSecretShape(TextNode textNode, Diagnostics diagnostics) {
    return SecretScanner.report(textNode.value(), new TextSpanLocator(textNode), diagnostics);
  }

  /** Treats a value with the name of a password as one, whatever it looks like. */
  private static void check(JsonValueNode.Member member, Diagnostics diagnostics) {
    if (member.value() instanceof TextNode textNode) {
      if (!reportSecretShape(textNode, diagnostics)
          && SecretScanner.isSecretName(member.key().value())
          && !ReferenceScanner.isOnlyReferences(textNode.value())) {
        diagnostics.report(
            DiagnosticCode.RAW_SECRET,
            textNode.span(),
            DiagnosticText.quote(member.key().value()) + " contains a secret",
            "write ${ENV:NAME}, with the name of the variable that holds it");
      }
    } else {
      check(member.value(), diagnostics);
    }
  }
}
