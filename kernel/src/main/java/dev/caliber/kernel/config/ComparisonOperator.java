package dev.caliber.kernel.config;

/** Operator that compares a field with a value. */
public enum ComparisonOperator {
  EQUAL("="),
  NOT_EQUAL("!="),
  GREATER(">"),
  LESS("<"),
  AT_LEAST(">="),
  AT_MOST("<="),
  /** The text matches the regular expression. */
  MATCHES("~"),
  /** The text, or the JSON, contains the text. */
  CONTAINS("contains");

  private final String symbol;

  ComparisonOperator(String symbol) {
    this.symbol = symbol;
  }

  /** Returns the operator as written in a configuration. */
  public String symbol() {
    return symbol;
  }
}
