package dev.caliber.memory;

/** A share of certainty, from 0 to 1. */
final class Confidence {
  private Confidence() {}

  static double require(double value) {
    if (!(value >= 0 && value <= 1)) {
      throw MemoryException.confidence(value);
    }
    return value;
  }
}
