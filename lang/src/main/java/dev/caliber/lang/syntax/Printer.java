package dev.caliber.lang.syntax;

import dev.caliber.lang.ast.AdapterField;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.FieldNode;
import dev.caliber.lang.ast.InjectionField;
import dev.caliber.lang.ast.JsonValueNode;
import dev.caliber.lang.ast.Keywords;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.Node;
import dev.caliber.lang.ast.RuleNode;
import dev.caliber.lang.diagnostic.Span;
import java.util.List;
import java.util.function.Function;

/** Prints a tree as a source in canonical form. Parsing it again gives an equal tree. */
public final class Printer {
  private final LineWriter out;

  private Printer(Trivia trivia) {
    this.out = new LineWriter(trivia);
  }

  public static String print(Ast ast) {
    return new Printer(Trivia.none()).write(ast);
  }

  /** Returns the source in canonical form with its comments; it must have no syntax errors. */
  public static String format(String source, ParsedSource parsedSource) {
    return new Printer(Trivia.of(source, parsedSource.comments())).write(parsedSource.ast());
  }

  private String write(Ast ast) {
    out.open(ast.span(), "caliber: " + InlinePrinter.quote(ast.version()) + " {");
    for (int i = 0; i < ast.definitions().size(); i++) {
      definition(ast.definitions().get(i), i > 0);
    }
    out.close(ast.span(), "}");
    return out.finish();
  }

  private void definition(Definition definition, boolean apart) {
    String head = head(definition);
    if (apart) {
      out.openAfterBlankLine(definition.span(), head);
    } else {
      out.open(definition.span(), head);
    }
    switch (definition) {
      case Definition.Memory memory -> memory.fields().forEach(this::memoryField);
      case Definition.Policy policy -> policy.rules().forEach(this::rule);
      case Definition.Adapter adapter -> adapter.fields().forEach(this::adapterField);
      case Definition.Injection injection -> injection.fields().forEach(this::injectionField);
    }
    out.close(definition.span(), "}");
  }

  private static String head(Definition definition) {
    return switch (definition) {
      case Definition.Memory memory -> "memory " + memory.name().text() + " {";
      case Definition.Policy policy -> "policy " + policy.name().text() + " {";
      case Definition.Adapter adapter -> "adapter " + adapter.name().text() + " {";
      case Definition.Injection(var memory, var target, _, _) ->
          "inject " + memory.text() + " into " + target.text() + " {";
    };
  }

  private void memoryField(MemoryField field) {
    switch (field) {
      case MemoryField.Type(var type, _) -> simple(field, Keywords.word(type));
      case MemoryField.Schema(var fields, _) ->
          block(
              field,
              fields,
              entry -> entry.name().text() + ": " + InlinePrinter.type(entry.type()));
      case MemoryField.Retention(var retention, _) ->
          simple(field, InlinePrinter.retention(retention));
      case MemoryField.Index(var entries, _) ->
          block(field, entries, entry -> entry.field().text() + ": " + Keywords.word(entry.type()));
      case MemoryField.Lifecycle(var lifecycle, _) ->
          simple(field, InlinePrinter.lifecycle(lifecycle));
      case MemoryField.Artifacts(var types, _) ->
          simple(field, "[" + InlinePrinter.join(types, InlinePrinter::quote) + "]");
      case MemoryField.Parent(var memory, _) -> simple(field, memory.text());
      case MemoryField.InjectOn(var triggers, _) ->
          simple(field, "[" + InlinePrinter.join(triggers, InlinePrinter::trigger) + "]");
    }
  }

  private void rule(RuleNode rule) {
    out.open(rule.span(), "on " + InlinePrinter.trigger(rule.trigger()) + ": [");
    entries(rule.actions(), InlinePrinter::action);
    out.close(rule.span(), "]");
  }

  private void adapterField(AdapterField field) {
    switch (field) {
      case AdapterField.AdapterTypeField(var type, _, _) -> simple(field, Keywords.word(type));
      case AdapterField.Connection(var connection, _) ->
          simple(field, InlinePrinter.quote(connection));
      case AdapterField.Options(var options, _) ->
          members(field.span(), field.word() + ": ", options, "");
    }
  }

  private void members(Span place, String before, JsonValueNode.Members object, String after) {
    if (object.members().isEmpty()) {
      out.line(place, before + "{}" + after);
      return;
    }
    out.open(place, before + "{");
    for (int i = 0; i < object.members().size(); i++) {
      member(object.members().get(i), i < object.members().size() - 1 ? "," : "");
    }
    out.close(object.span(), "}" + after);
  }

  private void member(JsonValueNode.Member member, String comma) {
    String key = InlinePrinter.quote(member.key()) + ": ";
    if (member.value() instanceof JsonValueNode.Members nested) {
      members(member.span(), key, nested, comma);
    } else {
      out.line(member.span(), key + InlinePrinter.json(member.value()) + comma);
    }
  }

  private void injectionField(InjectionField field) {
    switch (field) {
      case InjectionField.Mode(var mode, _) -> simple(field, InlinePrinter.mode(mode));
      case InjectionField.Priority(var priority, _) ->
          simple(field, InlinePrinter.number(priority));
      case InjectionField.MaxTokens(var tokens, _) -> simple(field, InlinePrinter.number(tokens));
      case InjectionField.Where(var filter, _) -> simple(field, InlinePrinter.filter(filter));
    }
  }

  private void simple(FieldNode field, String value) {
    out.line(field.span(), field.word() + ": " + value);
  }

  private <T extends Node> void block(FieldNode field, List<T> entries, Function<T, String> text) {
    out.open(field.span(), field.word() + ": {");
    entries(entries, text);
    out.close(field.span(), "}");
  }

  private <T extends Node> void entries(List<T> entries, Function<T, String> text) {
    for (int i = 0; i < entries.size(); i++) {
      String comma = i < entries.size() - 1 ? "," : "";
      out.line(entries.get(i).span(), text.apply(entries.get(i)) + comma);
    }
  }
}
