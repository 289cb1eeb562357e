package dev.caliber.lang.ast;

/** {@code name: type} in a schema. */
public record SchemaField(NameNode name, TypeNode type, NodeOrigin origin) implements Node {}
