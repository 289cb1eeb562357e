package dev.caliber.memory.record;

/** A share of certainty, from 0 to 1. */
public final class Confidence {
  private Confidence() {}

  public static double require(double value) {
    if (!(value >= 0 && value <= 1)) {
      throw MemoryException.confidenceOutOfRange(value);
    }
    return value;
  }
}
