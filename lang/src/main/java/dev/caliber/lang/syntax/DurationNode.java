package dev.caliber.lang.syntax;

import dev.caliber.kernel.Durations;
import java.time.Duration;

/** A duration in the unit that was written. */
public record DurationNode(long amount, Unit unit, Origin origin) implements ValueNode {
  /** What durations are counted in; the constants' names are the words. */
  public enum Unit {
    S,
    M,
    H,
    D,
    W
  }

  public DurationNode {
    Durations.parse(amount + Keywords.word(unit));
  }

  public static DurationNode of(long amount, Unit unit) {
    return new DurationNode(amount, unit, Origin.NONE);
  }

  public Duration duration() {
    return Durations.parse(text());
  }

  String text() {
    return amount + Keywords.word(unit);
  }
}
