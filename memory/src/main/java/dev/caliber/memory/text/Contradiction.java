package dev.caliber.memory.text;

/**
 * Why two statements cannot both be true.
 *
 * @param one the words of the first statement
 * @param other the words of the second
 */
public record Contradiction(Kind kind, String one, String other) {

  /** The rule that saw it. */
  public enum Kind {
    /** One denies what the other says. */
    NEGATION,
    /**
     * What one says was never done, the other tells of later: both may be true, each in its time.
     */
    CHANGE,
    /** The same with another number. */
    NUMBER,
    /** The same with another date. */
    DATE,
    /** The same with an opposite state. */
    STATE,
    /** The same attribute with another value. */
    VALUE
  }
}
