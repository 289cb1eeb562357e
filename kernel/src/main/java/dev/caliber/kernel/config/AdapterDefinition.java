package dev.caliber.kernel.config;

/** Storage that the configuration names. */
public record AdapterDefinition(
    String name, AdapterType type, String connection, AdapterOptions options) {
  public AdapterDefinition {
    DefinitionRules.require("name of an adapter", name);
    DefinitionRules.requireText("connection of " + name, connection);
  }
}
