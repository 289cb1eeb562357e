package dev.caliber.bench;

import java.util.Locale;
import java.util.Optional;

/** One measured value, its unit, and the bar it is held to, if there is one. */
record Figure(
    String part, String section, String name, double value, Unit unit, Optional<Bar> bar) {

  /** What a value counts. */
  enum Unit {
    PER_SECOND("/s"),
    MICROS("µs"),
    MILLIS("ms"),
    RATIO("×"),
    COUNT("");

    private final String symbol;

    Unit(String symbol) {
      this.symbol = symbol;
    }

    String symbol() {
      return symbol;
    }
  }

  /** What a value has to reach, or to stay below. */
  record Bar(double limit, boolean atLeast) {

    static Optional<Bar> atLeast(double limit) {
      return Optional.of(new Bar(limit, true));
    }

    static Optional<Bar> below(double limit) {
      return Optional.of(new Bar(limit, false));
    }

    boolean isMetBy(double value) {
      return atLeast ? value >= limit : value < limit;
    }
  }

  private static final double SMALL = 100;

  /** One digit more than the bar has, so that a near miss shows. */
  String valueText() {
    return text(value, "%.3f");
  }

  String barText() {
    return bar.map(b -> (b.atLeast ? "≥ " : "< ") + text(b.limit, "%.2f")).orElse("");
  }

  /** "met", "missed", or nothing without a bar. */
  String verdict() {
    return bar.map(b -> b.isMetBy(value) ? "met" : "missed").orElse("");
  }

  private String text(double number, String ratio) {
    String digits =
        switch (unit) {
          case RATIO -> String.format(Locale.ROOT, ratio, number);
          case COUNT -> String.format(Locale.ROOT, "%,.0f", number);
          default -> String.format(Locale.ROOT, number < SMALL ? "%.2f" : "%,.0f", number);
        };
    return unit == Unit.COUNT ? digits : digits + " " + unit.symbol;
  }
}
