package dev.caliber.lang.ast;

/** A field of a definition's body, which begins with a keyword. */
public sealed interface FieldNode extends Node permits AdapterField, InjectionField, MemoryField {
  /** Returns the keyword that begins the field. */
  String word();
}
