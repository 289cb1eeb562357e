package dev.caliber.lang.ast;

import dev.caliber.kernel.Durations;
import java.time.Duration;

/** A duration in the unit that was written. */
public record DurationNode(long amount, Unit unit, NodeOrigin origin) implements ValueNode {
  /** Units of durations; the constants' names are the keywords. */
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
    return new DurationNode(amount, unit, NodeOrigin.NONE);
  }

  public Duration duration() {
    return Durations.parse(text());
  }

  public String text() {
    return amount + Keywords.word(unit);
  }
}
