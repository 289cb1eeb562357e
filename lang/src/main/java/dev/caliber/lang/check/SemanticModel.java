package dev.caliber.lang.check;

import dev.caliber.kernel.config.Catalogue;
import dev.caliber.kernel.config.FieldType;
import dev.caliber.lang.ast.ActionNode;
import dev.caliber.lang.ast.Ast;
import dev.caliber.lang.ast.Definition;
import dev.caliber.lang.ast.FieldNode;
import dev.caliber.lang.ast.FilterNode;
import dev.caliber.lang.ast.InjectionField;
import dev.caliber.lang.ast.MemoryField;
import dev.caliber.lang.ast.RuleNode;
import dev.caliber.lang.ast.SchemaField;
import dev.caliber.lang.diagnostic.Span;
import dev.caliber.lang.syntax.ParseDamage;
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

/** A tree, prepared for the rules. */
record SemanticModel(
    Ast ast,
    ParseDamage damage,
    Catalogue catalogue,
    Map<String, Definition.Memory> memoriesByName,
    Map<Definition.Memory, Map<String, FieldType>> schemas) {

  /** A comparison of a filter, and the memory of the compared records. */
  record MemoryComparison(Definition.Memory memory, FilterNode.Comparison comparison) {}

  static SemanticModel of(Ast ast, ParseDamage parseDamage, Catalogue catalogue) {
    var memories = new LinkedHashMap<String, Definition.Memory>();
    /* By identity: two memories may be equal, and hashing a large tree takes time. */
    var schemas = new IdentityHashMap<Definition.Memory, Map<String, FieldType>>();
    for (Definition definition : ast.definitions()) {
      if (definition instanceof Definition.Memory memory) {
        memories.putIfAbsent(memory.name().text(), memory);
        schemas.put(memory, types(memory));
      }
    }
    return new SemanticModel(ast, parseDamage, catalogue, memories, schemas);
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

  /** Returns the type of a field of the memory's records, declared or not. */
  Optional<FieldType> fieldType(Definition.Memory memory, String field) {
    return Optional.ofNullable(schemas.getOrDefault(memory, Map.of()).get(field))
        .or(() -> catalogue.field(memory.name().text(), field));
  }

  /** Returns the kind of record that the runtime uses for the memory, if it is known. */
  Optional<String> kind(Definition.Memory memory) {
    return fields(memory, MemoryField.Type.class)
        .findFirst()
        .flatMap(type -> catalogue.memoryKinds().kindOf(memory.name().text(), type.type()));
  }

  /** Returns whether the field is a column that this memory's records lack and others have. */
  boolean isMissingColumn(Definition.Memory memory, String field) {
    return !schemas.getOrDefault(memory, Map.of()).containsKey(field)
        && kind(memory).filter(kind -> catalogue.isMissingColumn(kind, field)).isPresent();
  }

  Set<String> fieldNames(Definition.Memory memory) {
    var names = new TreeSet<>(catalogue.fields(memory.name().text()));
    names.removeIf(field -> isMissingColumn(memory, field));
    schema(memory).forEach(field -> names.add(field.name().text()));
    return names;
  }

  /** Returns the comparisons of filters over defined memories. */
  List<MemoryComparison> comparisons() {
    var uses = new ArrayList<MemoryComparison>();
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

  private static void collect(
      Definition.Memory memory, InjectionField field, List<MemoryComparison> uses) {
    if (field instanceof InjectionField.Where(var filter, _)) {
      collect(memory, filter, uses);
    }
  }

  /* The depth is bounded by the grammar. */
  private static void collect(
      Definition.Memory memory, FilterNode filter, List<MemoryComparison> uses) {
    switch (filter) {
      case FilterNode.And(var parts, _) -> parts.forEach(part -> collect(memory, part, uses));
      case FilterNode.Or(var parts, _) -> parts.forEach(part -> collect(memory, part, uses));
      case FilterNode.Comparison comparison -> uses.add(new MemoryComparison(memory, comparison));
    }
  }

  /** Returns the span of the definition's name. */
  static Span nameSpan(Definition definition) {
    return switch (definition) {
      case Definition.Memory(var nameNode, _, _) -> nameNode.span();
      case Definition.Policy(var nameNode, _, _) -> nameNode.span();
      case Definition.Adapter(var nameNode, _, _) -> nameNode.span();
      case Definition.Injection(var memory, var target, _, _) ->
          target.span().startsBefore(memory.span())
              ? memory.span()
              : Span.between(memory.span(), target.span());
    };
  }

  /** Returns the definition's title in diagnostics. */
  static String title(Definition definition) {
    return switch (definition) {
      case Definition.Memory(var nameNode, _, _) -> "memory '" + nameNode.text() + "'";
      case Definition.Policy(var nameNode, _, _) -> "policy '" + nameNode.text() + "'";
      case Definition.Adapter(var nameNode, _, _) -> "adapter '" + nameNode.text() + "'";
      case Definition.Injection(var memory, var target, _, _) ->
          "the injection of '" + memory.text() + "' into '" + target.text() + "'";
    };
  }

  /** Returns the span of the keyword that begins the field. */
  static Span wordSpan(FieldNode field) {
    var start = field.span();
    return new Span(
        start.line(), start.column(), start.line(), start.column() + field.word().length());
  }
}
