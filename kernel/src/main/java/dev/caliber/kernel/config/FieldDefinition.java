package dev.caliber.kernel.config;

/** One field of a memory's records. */
public record FieldDefinition(String name, FieldType type) {
  public FieldDefinition {
    DefinitionRules.require("name of a field", name);
  }
}
