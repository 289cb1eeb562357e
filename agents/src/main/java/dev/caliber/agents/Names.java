package dev.caliber.agents;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import java.time.Duration;
import java.util.regex.Pattern;

/** Names and texts that come from outside. */
final class Names {
  private static final int MOST_CHARACTERS = 512;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}");

  private Names() {}

  /** A name that is fit for a key, a URL and a log line as it stands. */
  static String require(String field, String name) {
    if (!NAME.matcher(name).matches()) {
      throw KernelException.invalidValue(field, NAME.pattern(), name);
    }
    return name;
  }

  /** Text that is fit for a key of an index. */
  static String requireShort(String field, String text) {
    new Limit(field, MOST_CHARACTERS).check(text.length());
    return requireFilled(field, text);
  }

  /** A time that lies ahead, and not beyond what a clock can tell. */
  static Duration requireTime(String field, Duration time) {
    if (!time.isPositive() || time.compareTo(AgentsBounds.MAX_TIME) > 0) {
      throw KernelException.invalidValue(
          field, "more than nothing, at most " + AgentsBounds.MAX_TIME, time.toString());
    }
    return time;
  }

  /** Text that says something, and that every engine can hold. */
  static String requireFilled(String field, String text) {
    if (text.isBlank()) {
      throw KernelException.requiredFieldMissing(field);
    }
    text.codePoints()
        .filter(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))
        .findFirst()
        .ifPresent(
            _ -> {
              throw KernelException.invalidValue(field, "text, found a character that is none");
            });
    return text;
  }
}
