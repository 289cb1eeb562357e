package dev.caliber.kernel;

/** Parser of the whole number at the front of a text with a unit. Only ASCII digits count. */
final class QuantityParser {
  private QuantityParser() {}

  /** Returns the number of digits that the text begins with. */
  static int leadingDigits(String text) {
    int count = 0;
    while (count < text.length() && text.charAt(count) >= '0' && text.charAt(count) <= '9') {
      count++;
    }
    return count;
  }

  /** Returns the number of the first digits, times the factor. */
  static long parseAndMultiply(String field, String text, int digits, long factor) {
    try {
      return Math.multiplyExact(Long.parseLong(text, 0, digits, 10), factor);
    } catch (NumberFormatException | ArithmeticException _) {
      throw KernelException.invalidValue(field, "a number that fits in 63 bits", text);
    }
  }
}
