package dev.caliber.agents.registry;

import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.Limit;
import java.time.Duration;
import java.util.regex.Pattern;

/** Checks of names and texts from outside. */
public final class InputChecks {
  private static final int MOST_CHARACTERS = 512;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}");

  private InputChecks() {}

  /** Checks a name, so that it is safe in a key, a URL and a log line. */
  public static String requireName(String field, String name) {
    if (!NAME.matcher(name).matches()) {
      throw KernelException.invalidValue(field, NAME.pattern(), name);
    }
    return name;
  }

  /** Checks a text that becomes an index key. */
  public static String requireShortText(String field, String text) {
    new Limit(field, MOST_CHARACTERS).requireWithin(text.length());
    return requireText(field, text);
  }

  /** Checks a positive duration within the range of the clock. */
  public static Duration requireDuration(String field, Duration time) {
    if (!time.isPositive() || time.compareTo(AgentsBounds.MAX_TIME) > 0) {
      throw KernelException.invalidValue(
          field, "a positive duration of at most " + AgentsBounds.MAX_TIME, time.toString());
    }
    return time;
  }

  /** Checks that a text is not blank and that every engine can store it. */
  public static String requireText(String field, String text) {
    if (text.isBlank()) {
      throw KernelException.requiredFieldMissing(field);
    }
    text.codePoints()
        .filter(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))
        .findFirst()
        .ifPresent(
            _ -> {
              throw KernelException.invalidValue(
                  field, "the text contains a NUL character or an unpaired surrogate");
            });
    return text;
  }
}
