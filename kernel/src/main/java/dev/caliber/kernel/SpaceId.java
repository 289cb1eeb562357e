package dev.caliber.kernel;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Name of a space, which is a tenant: 1 to 64 of the characters a to z, 0 to 9, dot, underscore and
 * dash, the first a letter or digit. It can be used unchanged as a file name, in a URL and in a
 * column.
 */
public record SpaceId(@JsonValue String value) implements Comparable<SpaceId> {
  /** Space of an installation that has only one. */
  public static final SpaceId DEFAULT = new SpaceId("default");

  /** Space of a server's own records: API keys and webhook secrets. No request can name it. */
  public static final SpaceId SERVER = new SpaceId("caliber.server");

  private static final int LONGEST = 64;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public SpaceId {
    boolean valid =
        !value.isEmpty() && value.length() <= LONGEST && isLetterOrDigit(value.charAt(0));
    for (int i = 1; valid && i < value.length(); i++) {
      char c = value.charAt(i);
      valid = isLetterOrDigit(c) || c == '.' || c == '_' || c == '-';
    }
    if (!valid) {
      throw KernelException.invalidValue("space", "[a-z0-9][a-z0-9._-]{0,63}", value);
    }
  }

  @Override
  public int compareTo(SpaceId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
