package dev.caliber.memory.text;

/**
 * Reason why two statements cannot both be true.
 *
 * @param one the words of the first statement
 * @param other the words of the second
 */
public record Contradiction(ContradictionKind kind, String one, String other) {

  /** Rule that found the contradiction. */
  public enum ContradictionKind {
    /** One statement denies the other. */
    NEGATION,
    /**
     * The earlier statement says that something was never done, the later one reports it: both may
     * be true, each at its time.
     */
    CHANGE,
    /** The statements differ in a number. */
    NUMBER,
    /** The statements differ in a date. */
    DATE,
    /** The statements name opposite states. */
    STATE,
    /** The statements give one attribute different values. */
    VALUE
  }
}
