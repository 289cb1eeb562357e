package dev.caliber.lang.check;

import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.FieldNode;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.DiagnosticText;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;

/** Checks that a block contains no field, column, index or key of JSON twice. */
final class DuplicateFieldCheck implements ConfigCheck {
  @Override
  public void run(SemanticModel semanticModel, Diagnostics diagnostics) {
    for (Definition definition : semanticModel.ast().definitions()) {
      switch (definition) {
        case Definition.Memory(_, var fields, _) -> {
          checkFields(fields, diagnostics);
          fields.forEach(field -> checkEntries(field, diagnostics));
        }
        case Definition.Adapter(_, var fields, _) -> {
          checkFields(fields, diagnostics);
          fields.forEach(field -> checkOptions(field, diagnostics));
        }
        case Definition.Injection(_, _, var fields, _) -> checkFields(fields, diagnostics);
        case Definition.Policy _ -> {}
      }
    }
  }

  private static void checkFields(List<? extends FieldNode> fields, Diagnostics diagnostics) {
    requireUnique(fields, FieldNode::word, SemanticModel::wordSpan, "field", diagnostics);
  }

  private static void checkEntries(MemoryField field, Diagnostics diagnostics) {
    if (field instanceof MemoryField.Schema(var fields, _)) {
      requireUnique(fields, f -> f.name().text(), f -> f.name().span(), "field", diagnostics);
    }
    if (field instanceof MemoryField.Index(var entries, _)) {
      requireUnique(
          entries, e -> e.field().text(), e -> e.field().span(), "index of field", diagnostics);
    }
  }

  private static void checkOptions(AdapterField field, Diagnostics diagnostics) {
    if (field instanceof AdapterField.Options(var options, _)) {
      checkJson(options, diagnostics);
    }
  }

  /* The depth is bounded by the grammar. */
  private static void checkJson(JsonValueNode value, Diagnostics diagnostics) {
    if (value instanceof JsonValueNode.Members(var members, _)) {
      requireUnique(members, m -> m.key().value(), m -> m.key().span(), "key", diagnostics);
      members.forEach(member -> checkJson(member.value(), diagnostics));
    } else if (value instanceof JsonValueNode.Items(var values, _)) {
      values.forEach(item -> checkJson(item, diagnostics));
    }
  }

  private static <T> void requireUnique(
      List<? extends T> entries,
      Function<T, String> name,
      Function<T, Span> place,
      String what,
      Diagnostics diagnostics) {
    var first = new HashMap<String, Span>();
    for (T entry : entries) {
      var earlier = first.putIfAbsent(name.apply(entry), place.apply(entry));
      if (earlier != null) {
        diagnostics.report(
            DiagnosticCode.DUPLICATE_FIELD,
            place.apply(entry),
            what
                + " "
                + DiagnosticText.quote(name.apply(entry))
                + " is given twice, first in line "
                + earlier.line(),
            "keep one of them");
      }
    }
  }
}
