package dev.caliber.lang.check;

import dev.caliber.lang.diagnostic.DiagnosticCode;
import dev.caliber.lang.diagnostic.Diagnostics;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.diagnostic.Wording;
import dev.caliber.lang.syntax.AdapterField;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.FieldNode;
import dev.caliber.lang.syntax.JsonValueNode;
import dev.caliber.lang.syntax.MemoryField;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;

/** Nothing is given twice in one block: no field, no column, no index, no key of JSON. */
final class UniqueFields implements Check {
  @Override
  public void run(Program program, Diagnostics diagnostics) {
    for (Definition definition : program.ast().definitions()) {
      switch (definition) {
        case Definition.Memory(_, var fields, _) -> {
          fields(fields, diagnostics);
          fields.forEach(field -> entries(field, diagnostics));
        }
        case Definition.Adapter(_, var fields, _) -> {
          fields(fields, diagnostics);
          fields.forEach(field -> options(field, diagnostics));
        }
        case Definition.Injection(_, _, var fields, _) -> fields(fields, diagnostics);
        case Definition.Policy _ -> {}
      }
    }
  }

  private static void fields(List<? extends FieldNode> fields, Diagnostics diagnostics) {
    unique(fields, FieldNode::word, Program::word, "field", diagnostics);
  }

  private static void entries(MemoryField field, Diagnostics diagnostics) {
    if (field instanceof MemoryField.Schema(var fields, _)) {
      unique(fields, f -> f.name().text(), f -> f.name().span(), "field", diagnostics);
    }
    if (field instanceof MemoryField.Index(var entries, _)) {
      unique(entries, e -> e.field().text(), e -> e.field().span(), "index of field", diagnostics);
    }
  }

  private static void options(AdapterField field, Diagnostics diagnostics) {
    if (field instanceof AdapterField.Options(var options, _)) {
      json(options, diagnostics);
    }
  }

  /* The depth is bounded by the grammar. */
  private static void json(JsonValueNode value, Diagnostics diagnostics) {
    if (value instanceof JsonValueNode.Members(var members, _)) {
      unique(members, m -> m.key().value(), m -> m.key().span(), "key", diagnostics);
      members.forEach(member -> json(member.value(), diagnostics));
    } else if (value instanceof JsonValueNode.Items(var values, _)) {
      values.forEach(item -> json(item, diagnostics));
    }
  }

  private static <T> void unique(
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
                + Wording.quote(name.apply(entry))
                + " is given twice, first in line "
                + earlier.line(),
            "keep one of them");
      }
    }
  }
}
