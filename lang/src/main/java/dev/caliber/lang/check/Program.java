package dev.caliber.lang.check;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.syntax.ActionNode;
import dev.caliber.lang.syntax.Ast;
import dev.caliber.lang.syntax.Damage;
import dev.caliber.lang.syntax.Definition;
import dev.caliber.lang.syntax.FieldNode;
import dev.caliber.lang.syntax.FilterNode;
import dev.caliber.lang.syntax.InjectionField;
import dev.caliber.lang.syntax.MemoryField;
import dev.caliber.lang.syntax.RuleNode;
import dev.caliber.lang.syntax.SchemaField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A tree as the rules look at it. */
record Program(
    Ast ast,
    Damage damage,
    Catalogue catalogue,
    Map<String, Definition.Memory> memoriesByName,
    Map<Definition.Memory, Map<String, FieldType>> schemas) {

  /** A comparison of a filter, and the memory whose records it is about. */
  record Use(Definition.Memory memory, FilterNode.Comparison comparison) {}

  static Program of(Ast ast, Damage damage, Catalogue catalogue) {
    var memories = new LinkedHashMap<String, Definition.Memory>();
    /* By identity: two memories may say the same, and the hash of a large tree takes its time. */
    var schemas = new IdentityHashMap<Definition.Memory, Map<String, FieldType>>();
    for (Definition definition : ast.definitions()) {
      if (definition instanceof Definition.Memory memory) {
        memories.putIfAbsent(memory.name().text(), memory);
        schemas.put(memory, types(memory));
      }
    }
    return new Program(ast, damage, catalogue, memories, schemas);
  }

  private static Map<String, FieldType> types(Definition.Memory memory) {
    var types = new HashMap<String, FieldType>();
    schema(memory).forEach(field -> types.putIfAbsent(field.name().text(), field.type().type()));
    return types;
  }

  <D extends Definition> Stream<D> definitions(Class<D> type) {
    return ast.definitions().stream().filter(type::isInstance).map(type::cast);
  }

  Stream<Definition.Memory> memories() {
    return definitions(Definition.Memory.class);
  }

  Stream<Definition.Injection> injections() {
    return definitions(Definition.Injection.class);
  }

  <F extends MemoryField> Stream<F> memoryFields(Class<F> type) {
    return memories().flatMap(memory -> fields(memory, type));
  }

  static <F extends MemoryField> Stream<F> fields(Definition.Memory memory, Class<F> type) {
    return memory.fields().stream().filter(type::isInstance).map(type::cast);
  }

  Stream<RuleNode> rules() {
    return definitions(Definition.Policy.class).flatMap(policy -> policy.rules().stream());
  }

  Stream<ActionNode> actions() {
    return rules().flatMap(rule -> rule.actions().stream());
  }

  static Stream<SchemaField> schema(Definition.Memory memory) {
    return fields(memory, MemoryField.Schema.class).flatMap(schema -> schema.fields().stream());
  }

  /** The type of a field that the memory's records have, declared or not. */
  Optional<FieldType> fieldType(Definition.Memory memory, String field) {
    return Optional.ofNullable(schemas.getOrDefault(memory, Map.of()).get(field))
        .or(() -> catalogue.field(memory.name().text(), field));
  }

  /** Which kind of record the runtime makes the memory of, if that is known. */
  Optional<String> kind(Definition.Memory memory) {
    return fields(memory, MemoryField.Type.class)
        .findFirst()
        .flatMap(type -> catalogue.made().of(memory.name().text(), type.type()));
  }

  /** Whether the field is a column that the memory's records do not have, though others have it. */
  boolean lacks(Definition.Memory memory, String field) {
    return !schemas.getOrDefault(memory, Map.of()).containsKey(field)
        && kind(memory).filter(kind -> catalogue.lacks(kind, field)).isPresent();
  }

  Set<String> fieldNames(Definition.Memory memory) {
    var names = new TreeSet<>(catalogue.fields(memory.name().text()));
    names.removeIf(field -> lacks(memory, field));
    schema(memory).forEach(field -> names.add(field.name().text()));
    return names;
  }

  /** The comparisons of filters over memories that are defined. */
  List<Use> comparisons() {
    var uses = new ArrayList<Use>();
    injections()
        .forEach(
            injection -> {
              var memory = memoriesByName.get(injection.memory().text());
              if (memory != null) {
                injection.fields().forEach(field -> collect(memory, field, uses));
              }
            });
    return uses;
  }

  private static void collect(Definition.Memory memory, InjectionField field, List<Use> uses) {
    if (field instanceof InjectionField.Where(var filter, _)) {
      collect(memory, filter, uses);
    }
  }

  /* The depth is bounded by the grammar. */
  private static void collect(Definition.Memory memory, FilterNode filter, List<Use> uses) {
    switch (filter) {
      case FilterNode.And(var parts, _) -> parts.forEach(part -> collect(memory, part, uses));
      case FilterNode.Or(var parts, _) -> parts.forEach(part -> collect(memory, part, uses));
      case FilterNode.Comparison comparison -> uses.add(new Use(memory, comparison));
    }
  }

  /** Where the name of the definition stands. */
  static Span head(Definition definition) {
    return switch (definition) {
      case Definition.Memory(var name, _, _) -> name.span();
      case Definition.Policy(var name, _, _) -> name.span();
      case Definition.Adapter(var name, _, _) -> name.span();
      case Definition.Injection(var memory, var target, _, _) ->
          target.span().startsBefore(memory.span())
              ? memory.span()
              : Span.between(memory.span(), target.span());
    };
  }

  /** How people call the definition. */
  static String title(Definition definition) {
    return switch (definition) {
      case Definition.Memory(var name, _, _) -> "memory '" + name.text() + "'";
      case Definition.Policy(var name, _, _) -> "policy '" + name.text() + "'";
      case Definition.Adapter(var name, _, _) -> "adapter '" + name.text() + "'";
      case Definition.Injection(var memory, var target, _, _) ->
          "the injection of '" + memory.text() + "' into '" + target.text() + "'";
    };
  }

  /** Where the word stands that the field begins with. */
  static Span word(FieldNode field) {
    var start = field.span();
    return new Span(
        start.line(), start.column(), start.line(), start.column() + field.word().length());
  }
}
