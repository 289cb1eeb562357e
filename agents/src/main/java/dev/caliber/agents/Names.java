package dev.caliber.agents;

import dev.caliber.kernel.KernelException;
import java.util.regex.Pattern;

/** Names and texts that come from outside. */
final class Names {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}");

  private Names() {}

  /** A name that is fit for a key, a URL and a log line as it stands. */
  static String require(String field, String name) {
    if (!NAME.matcher(name).matches()) {
      throw KernelException.invalidValue(field, NAME.pattern(), name);
    }
    return name;
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
