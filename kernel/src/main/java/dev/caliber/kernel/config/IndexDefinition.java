package dev.caliber.kernel.config;

/** Index over one field or one built-in column. */
public record IndexDefinition(String field, IndexType type) {
  public IndexDefinition {
    DefinitionRules.require("field of an index", field);
  }
}
