package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.SecretScanner;
import dev.caliber.lang.prompt.ReferenceScanner;
import dev.caliber.lang.syntax.AdapterField;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Text;
import dev.caliber.lang.syntax.TextSpanLocator;

/** Checks that connections and options name variables of secrets instead of the secrets. */
final class AdapterSecrets implements ConfigCheck {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
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
      case Text text -> reportSecretShape(text, diagnostics);
      case JsonValueNode.Items(var values, _) -> values.forEach(v -> check(v, diagnostics));
      case JsonValueNode.Members(var members, _) ->
          members.forEach(member -> check(member, diagnostics));
      case NumberNode _, Flag _, JsonValueNode.NullValue _ -> {}
    }
  }

  private static boolean reportSecretShape(Text text, Diagnostics diagnostics) {
    return SecretScanner.report(text.value(), new TextSpanLocator(text), diagnostics);
  }

  /** Treats a value with the name of a password as one, whatever it looks like. */
  private static void check(JsonValueNode.Member member, Diagnostics diagnostics) {
    if (member.value() instanceof Text text) {
      if (!reportSecretShape(text, diagnostics)
          && SecretScanner.isSecretName(member.key().value())
          && !ReferenceScanner.isOnlyReferences(text.value())) {
        diagnostics.report(
            DiagnosticCode.RAW_SECRET,
            text.span(),
            DiagnosticText.quote(member.key().value()) + " contains a secret",
            "write ${ENV:NAME}, with the name of the variable that holds it");
      }
    } else {
      check(member.value(), diagnostics);
    }
  }
}
