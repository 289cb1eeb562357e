package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.prompt.Secrets;
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
      case Text text -> Secrets.report(text.value(), new TextPlaces(text), diagnostics);
      case JsonValueNode.Items(var values, _) -> values.forEach(v -> check(v, diagnostics));
      case JsonValueNode.Members(var members, _) ->
          members.forEach(member -> check(member.value(), diagnostics));
      case NumberNode _, Flag _, JsonValueNode.Nothing _ -> {}
    }
  }
}
