package dev.caliber.kernel.config;

/** How one field, or one built-in column, is found quickly. */
public record IndexDefinition(String field, IndexType type) {
  public IndexDefinition {
    Names.require("field of an index", field);
  }
}
