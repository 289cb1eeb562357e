package dev.caliber.bench.harness;

import java.util.Locale;
import java.util.Optional;

/** A measured value with its unit, and its target, if there is one. */
public record Figure(
    String part,
    String section,
    String name,
    double value,
    FigureUnit unit,
    Optional<FigureTarget> bar) {

  /** The unit of a value. */
  public enum FigureUnit {
    PER_SECOND("/s"),
    MICROS("µs"),
    MILLIS("ms"),
    RATIO("×"),
    COUNT("");

    private final String symbol;

    FigureUnit(String symbol) {
      this.symbol = symbol;
    }

    String symbol() {
      return symbol;
    }
  }

  /** The limit that a value has to reach, or to stay below. */
  public record FigureTarget(double limit, boolean atLeast) {

    public static Optional<FigureTarget> atLeast(double limit) {
      return Optional.of(new FigureTarget(limit, true));
    }

    public static Optional<FigureTarget> below(double limit) {
      return Optional.of(new FigureTarget(limit, false));
    }

    boolean isMetBy(double value) {
      return atLeast ? value >= limit : value < limit;
    }
  }

  private static final double SMALL = 100;

  /** Formats the value with one digit more than the target, so that a near miss shows. */
  String valueText() {
    return text(value, "%.3f");
  }

  String barText() {
    return bar.map(b -> (b.atLeast ? "≥ " : "< ") + text(b.limit, "%.2f")).orElse("");
  }

  /** Returns "met", "missed", or an empty text without a target. */
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
    return unit == FigureUnit.COUNT ? digits : digits + " " + unit.symbol;
  }
}
