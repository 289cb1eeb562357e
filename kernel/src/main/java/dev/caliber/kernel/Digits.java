package dev.caliber.kernel;

/** Reads the whole number at the front of a text with a unit. Only ASCII digits count. */
final class Digits {
  private Digits() {}

  /** How many digits the text begins with. */
  static int leading(String text) {
    int count = 0;
    while (count < text.length() && text.charAt(count) >= '0' && text.charAt(count) <= '9') {
      count++;
    }
    return count;
  }

  /** The number that the first digits make, times the factor. */
  static long multiply(String field, String text, int digits, long factor) {
    try {
      return Math.multiplyExact(Long.parseLong(text, 0, digits, 10), factor);
    } catch (NumberFormatException | ArithmeticException _) {
      throw KernelException.invalidValue(field, "a number that fits in 63 bits", text);
    }
  }
}
