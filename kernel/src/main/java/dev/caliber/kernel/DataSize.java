package dev.caliber.kernel;

/**
 * Amount of bytes, written as a whole number and one of the units B, KiB, MiB and GiB: {@code
 * 64KiB}.
 */
public record DataSize(long bytes) implements Comparable<DataSize> {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB"};
  private static final int BITS_PER_UNIT = 10;

  public DataSize {
    if (bytes < 0) {
      throw KernelException.invalidValue("size", "0 bytes or more", Long.toString(bytes));
    }
  }

  public static DataSize parse(String text) {
    int digits = QuantityParser.leadingDigits(text);
    for (int i = 0; digits > 0 && i < UNITS.length; i++) {
      if (text.substring(digits).equals(UNITS[i])) {
        return new DataSize(
            QuantityParser.parseAndMultiply("size", text, digits, 1L << (i * BITS_PER_UNIT)));
      }
    }
    throw KernelException.invalidValue("size", "a whole number with B, KiB, MiB or GiB", text);
  }

  @Override
  public int compareTo(DataSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /** Returns the text in the largest unit that holds the amount exactly. */
  @Override
  public String toString() {
    int unit =
        bytes == 0
            ? 0
            : Math.min(Long.numberOfTrailingZeros(bytes) / BITS_PER_UNIT, UNITS.length - 1);
    return (bytes >> (unit * BITS_PER_UNIT)) + UNITS[unit];
  }
}
