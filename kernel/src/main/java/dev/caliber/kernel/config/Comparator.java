package dev.caliber.kernel.config;

/** How a field is compared with a value. */
public enum Comparator {
  EQUAL("="),
  NOT_EQUAL("!="),
  GREATER(">"),
  LESS("<"),
  AT_LEAST(">="),
  AT_MOST("<="),
  /** The text matches the regular expression. */
  MATCHES("~"),
  /** The text, or the JSON, has the text in it. */
  CONTAINS("contains");

  private final String symbol;

  Comparator(String symbol) {
    this.symbol = symbol;
  }

  /** As it is written in a configuration. */
  public String symbol() {
    return symbol;
  }
}
