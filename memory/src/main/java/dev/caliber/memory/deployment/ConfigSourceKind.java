package dev.caliber.memory.deployment;

/** Kind of source of a configuration. */
public enum ConfigSourceKind {
  /** Text of the configuration language. */
  DSL,
  /** Pack; its text in the language is printed from the tree, for people to read. */
  PACK
}
