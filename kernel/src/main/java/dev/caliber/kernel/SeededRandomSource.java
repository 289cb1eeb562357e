package dev.caliber.kernel;

import java.util.concurrent.atomic.AtomicLong;

/**
 * SplitMix64: a counter with a fixed step, and a mix of its bits. Implemented here because the
 * algorithms of the JDK may change.
 */
final class SeededRandomSource implements RandomSource {
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private final AtomicLong state;

  SeededRandomSource(long seed) {
    state = new AtomicLong(seed);
  }

  @Override
  public long nextLong() {
    long z = state.addAndGet(STEP);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
