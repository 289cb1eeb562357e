package dev.caliber.kernel.config;

import java.util.List;
import java.util.Optional;

/**
 * One kind of memory: the schema and the retention of its records.
 *
 * @param lifecycle how the memory is closed; empty for one that is neither opened nor closed
 * @param artifacts the artifact types that the memory yields
 * @param injectOn when the memory is offered to a context
 */
public record MemoryDefinition(
    String name,
    MemoryType type,
    List<FieldDefinition> schema,
    Retention retention,
    Optional<Lifecycle> lifecycle,
    List<IndexDefinition> indexes,
    List<String> artifacts,
    Optional<String> parent,
    List<Trigger> injectOn) {
  public MemoryDefinition {
    DefinitionRules.require("name of a memory", name);
    schema = List.copyOf(schema);
    indexes = List.copyOf(indexes);
    artifacts = List.copyOf(artifacts);
    injectOn = List.copyOf(injectOn);
    DefinitionRules.requireUnique("field of " + name, schema.stream().map(FieldDefinition::name));
    DefinitionRules.requireUnique("index of " + name, indexes.stream().map(IndexDefinition::field));
  }

  public Optional<FieldDefinition> field(String field) {
    return schema.stream().filter(candidate -> candidate.name().equals(field)).findFirst();
  }
}
