package dev.caliber.kernel.config;

/** A storage that the configuration names. */
public record AdapterDefinition(
    String name, AdapterType type, String connection, AdapterOptions options) {
  public AdapterDefinition {
    Names.require("name of an adapter", name);
    Names.requireText("connection of " + name, connection);
  }
}
