package dev.caliber.kernel;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Text form of durations: a whole number and one of the units ms, s, m, h, d (24 hours) and w (7
 * days), as in {@code 250ms} or {@code 2h}. The shortest is 0, the longest what a long holds in
 * milliseconds.
 */
public final class Durations {
  private static final String[] UNITS = {"ms", "s", "m", "h", "d", "w"};
  private static final long[] MILLIS = {1, 1_000, 60_000, 3_600_000, 86_400_000, 604_800_000};
  private static final String WANTED = "a whole number with ms, s, m, h, d or w";

  private Durations() {}

  public static Duration parse(String text) {
    return parse("duration", text);
  }

  /** Parses a duration; a refusal names the field that the text was sent in. */
  public static Duration parse(String field, String text) {
    int digits = QuantityParser.leadingDigits(text);
    for (int i = 0; digits > 0 && i < UNITS.length; i++) {
      if (text.substring(digits).equals(UNITS[i])) {
        return Duration.ofMillis(QuantityParser.parseAndMultiply(field, text, digits, MILLIS[i]));
      }
    }
    throw KernelException.invalidValue(field, WANTED, text);
  }

  /** Returns the text in the largest unit that holds the duration exactly. */
  public static String format(Duration duration) {
    if (duration.isNegative() || !duration.equals(duration.truncatedTo(ChronoUnit.MILLIS))) {
      throw KernelException.invalidValue(
          "duration", "whole milliseconds, 0 or more", duration.toString());
    }
    long millis = millis(duration);
    if (millis == 0) {
      return "0s";
    }
    int unit = UNITS.length - 1;
    while (millis % MILLIS[unit] != 0) {
      unit--;
    }
    return millis / MILLIS[unit] + UNITS[unit];
  }

  private static long millis(Duration duration) {
    try {
      return duration.toMillis();
    } catch (ArithmeticException _) {
      throw KernelException.invalidValue(
          "duration", "milliseconds that a long holds", duration.toString());
    }
  }
}
