package dev.caliber.kernel;

/**
 * Source of random values, safe for use by many threads. A source implements only {@link
 * #nextLong}; the other methods are defined by it, so that they give the same values over the same
 * longs everywhere.
 */
@FunctionalInterface
public interface RandomSource {
  /** Returns 64 random bits. */
  long nextLong();

  /**
   * Returns a number from 0 to below the bound. No value is likelier than another by more than one
   * part in 2^33.
   */
  default int nextInt(int bound) {
    if (bound <= 0) {
      throw KernelException.invalidValue("bound", "a positive number", Integer.toString(bound));
    }
    return (int) Math.unsignedMultiplyHigh(nextLong(), bound);
  }

  /** Returns a number from 0 to below 1, of 53 random bits. */
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

  /** Returns an unpredictable source, fed by the operating system. */
  static RandomSource system() {
    return new SystemRandomSource();
  }

  /**
   * Returns the SplitMix64 sequence, which is the same for the same seed on every Java platform and
   * in every version of Caliber. With more than one thread the values are the same; which thread
   * gets which is not.
   */
  static RandomSource seeded(long seed) {
    return new SeededRandomSource(seed);
  }
}
