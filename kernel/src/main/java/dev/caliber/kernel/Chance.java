package dev.caliber.kernel;

/**
 * The source of random values, safe for use by many threads. {@link #nextLong} is all that a source
 * has to give; the other methods are defined by it, so that they give the same values over the same
 * longs everywhere.
 */
@FunctionalInterface
public interface Chance {
  /** 64 random bits. */
  long nextLong();

  /**
   * A number from 0 to below the bound. No value is likelier than another by more than one part in
   * 2^33.
   */
  default int nextInt(int bound) {
    if (bound <= 0) {
      throw KernelException.invalidValue("bound", "a positive number", Integer.toString(bound));
    }
    return (int) Math.unsignedMultiplyHigh(nextLong(), bound);
  }

  /** A number from 0 to below 1, of 53 random bits. */
  default double nextDouble() {
    return (nextLong() >>> 11) * 0x1p-53;
  }

  /** Fills the array; each long gives eight bytes, the lowest first. */
  default void nextBytes(byte[] bytes) {
    long bits = 0;
    for (int i = 0; i < bytes.length; i++) {
      bits = i % Long.BYTES == 0 ? nextLong() : bits >>> Byte.SIZE;
      bytes[i] = (byte) bits;
    }
  }

  /** Chance that nobody can foresee, from the operating system. */
  static Chance system() {
    return new SystemChance();
  }

  /**
   * Chance that is the same for the same seed on every Java platform and in every version of
   * Caliber: the SplitMix64 sequence. With more than one thread the values stay the same, and who
   * gets which does not.
   */
  static Chance seeded(long seed) {
    return new SeededChance(seed);
  }
}
