package dev.caliber.lang.syntax;

/** A field of a definition's body, which begins with a word of the language. */
public sealed interface FieldNode extends Node permits AdapterField, InjectionField, MemoryField {
  /** The word that the field begins with. */
  String word();
}
