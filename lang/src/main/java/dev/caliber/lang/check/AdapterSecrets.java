package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Secrets;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.prompt.References;
import dev.caliber.lang.syntax.AdapterField;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.Flag;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.NumberNode;
import dev.caliber.lang.syntax.Text;
import dev.caliber.lang.syntax.TextPlaces;

/** Connections and options name the variables that hold secrets, and hold none themselves. */
final class AdapterSecrets implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    program
        .definitions(Definition.Adapter.class)
        .flatMap(adapter -> adapter.fields().stream())
        .forEach(field -> check(field, diagnostics));
  }

  private static void check(AdapterField field, Diagnostics diagnostics) {
    switch (field) {
      case AdapterField.Type _ -> {}
      case AdapterField.Connection(var connection, _) -> check(connection, diagnostics);
      case AdapterField.Options(var options, _) -> check(options, diagnostics);
    }
  }

  /* The depth is bounded by the grammar. */
  private static void check(JsonValueNode value, Diagnostics diagnostics) {
    switch (value) {
      case Text text -> shape(text, diagnostics);
      case JsonValueNode.Items(var values, _) -> values.forEach(v -> check(v, diagnostics));
      case JsonValueNode.Members(var members, _) ->
          members.forEach(member -> check(member, diagnostics));
      case NumberNode _, Flag _, JsonValueNode.Nothing _ -> {}
    }
  }

  private static boolean shape(Text text, Diagnostics diagnostics) {
    return Secrets.report(text.value(), new TextPlaces(text), diagnostics);
  }

  /** What is called a password is one, whatever it looks like. */
  private static void check(JsonValueNode.Member member, Diagnostics diagnostics) {
    if (member.value() instanceof Text text) {
      if (!shape(text, diagnostics)
          && Secrets.isSecretName(member.key().value())
          && !References.only(text.value())) {
        diagnostics.report(
            DiagnosticCode.RAW_SECRET,
            text.span(),
            Wording.quote(member.key().value()) + " holds a secret itself",
            "write ${ENV:NAME}, with the name of the variable that holds it");
      }
    } else {
      check(member.value(), diagnostics);
    }
  }
}
