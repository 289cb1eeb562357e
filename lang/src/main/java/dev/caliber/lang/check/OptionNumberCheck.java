package dev.caliber.lang.check;

import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.BooleanNode;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.NumberNode;
import dev.caliber.lang.ast.TextNode;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;

/** Checks that whole numbers of options fit into 64 bits, and that others have a finite size. */
final class OptionNumberCheck implements ConfigCheck {
  private static final int LONG_BITS = 63;

  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    semanticModel
        .definitions(Definition.Adapter.class)
        .flatMap(adapter -> adapter.fields().stream())
        .forEach(
            field -> {
              if (field instanceof AdapterField.Options(var options, _)) {
                check(options, diagnostics);
              }
            });
  }

  /* The depth is bounded by the grammar. */
  private static void check(JsonValueNode value, Diagnostics diagnostics) {
    switch (value) {
      case NumberNode number -> checkNumber(number, diagnostics);
      case JsonValueNode.Items(var values, _) -> values.forEach(v -> check(v, diagnostics));
      case JsonValueNode.Members(var members, _) ->
          members.forEach(member -> check(member.value(), diagnostics));
      case TextNode _, BooleanNode _, JsonValueNode.NullValue _ -> {}
    }
  }

  private static void checkNumber(NumberNode number, Diagnostics diagnostics) {
    boolean fits =
        number.value().scale() > 0 || number.value().toBigInteger().bitLength() <= LONG_BITS;
    if (!fits) {
      diagnostics.report(
          DiagnosticCode.OUT_OF_RANGE,
          number.span(),
          number.value().toPlainString() + " is out of range",
          "write a whole number that fits into 64 bits, or a text");
    }
  }
}
