package dev.caliber.lang.syntax;

/** {@code name: type} in a schema. */
public record SchemaField(Name name, TypeNode type, Origin origin) implements Node {}
