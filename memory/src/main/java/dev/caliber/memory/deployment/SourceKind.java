package dev.caliber.memory.deployment;

/** What a configuration was written as. */
public enum SourceKind {
  /** Text of the configuration language. */
  DSL,
  /** A pack; its text of the language is printed from the tree, for people to read. */
  PACK
}
