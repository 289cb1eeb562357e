package dev.caliber.kernel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Regular expression from an untrusted author. It is matched in time linear in the text, and an
 * expression that would take much memory is refused.
 */
public final class TextPattern {
  /** Largest number of characters of an expression. */
  public static final int LONGEST = 512;

  /** Largest number of copies that counted repetitions make of one character. */
  public static final int MOST_REPETITIONS = 1000;

  private static final int MOST_DIGITS = 9;
  private static final Pattern COUNTED = Pattern.compile("\\{(\\d+)(?:,(\\d*))?}");

  private final Pattern pattern;

  private TextPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /** Compiles the expression; refuses an invalid or too large one. */
  public static TextPattern of(String expression) {
    if (expression.length() > LONGEST || repetitions(expression) > MOST_REPETITIONS) {
      throw refusal("at most %d characters and %d repetitions", expression);
    }
    try {
      return new TextPattern(Pattern.compile(expression));
    } catch (PatternSyntaxException _) {
      throw refusal("a regular expression", expression);
    }
  }

  private static KernelException refusal(String wanted, String expression) {
    return KernelException.invalidValue(
        "regular expression", wanted.formatted(LONGEST, MOST_REPETITIONS), expression);
  }

  /**
   * Returns the number of copies. Counted repetitions are written out when an expression is
   * compiled, and nested ones multiply.
   */
  private static long repetitions(String expression) {
    long product = 1;
    Matcher counted = COUNTED.matcher(expression);
    while (counted.find() && product <= MOST_REPETITIONS) {
      product *= Math.max(1, Math.max(number(counted.group(1)), number(counted.group(2))));
    }
    return product;
  }

  private static long number(@Nullable String digits) {
    if (digits == null || digits.isEmpty()) {
      return 1;
    }
    return digits.length() > MOST_DIGITS ? Integer.MAX_VALUE : Long.parseLong(digits);
  }

  /** Returns whether the whole text matches. */
  public boolean matches(String text) {
    return pattern.matches(text);
  }
}
