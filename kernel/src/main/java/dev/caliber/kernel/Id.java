package dev.caliber.kernel;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

/**
 * Identity of a record: 128 bits laid out as a UUID, ordered as an unsigned number, written as a
 * ULID. The order of ids, of their texts and of their UUIDs' texts is the same. New ones come from
 * {@link IdGenerator}; those that must come out equal on every host from {@link #derivedFrom}.
 */
public record Id(long high, long low) implements Comparable<Id> {
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final byte[] VALUES = values();
  private static final int ULID_LENGTH = 26;
  private static final int UUID_LENGTH = 36;
  private static final long VERSION_MASK = 0xF000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;

  public static Id of(UUID uuid) {
    return new Id(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /**
   * Parses ULID text of either case, or UUID text in its form of five groups. The letters I, L, O
   * and U are no digits.
   */
  @JsonCreator
  public static Id parse(String text) {
    return switch (text.length()) {
      case ULID_LENGTH -> parseUlid(text);
      case UUID_LENGTH -> parseUuid(text);
      default -> throw malformed(text);
    };
  }

  /**
   * Returns the id that these parts have on every host: the first 128 bits of {@link
   * FieldHash#hash}, with the version set to 8 and the variant to binary 10.
   */
  public static Id derivedFrom(String kind, String... parts) {
    var bytes = ByteBuffer.wrap(FieldHash.digest(kind, parts));
    long high = (bytes.getLong() & ~VERSION_MASK) | 0x8000L;
    return new Id(high, (bytes.getLong() & ~VARIANT_MASK) | VARIANT);
  }

  /**
   * Returns a version 7 id from its fields: 48 bits of milliseconds, then 12 and 62 bits that tell
   * ids apart.
   */
  static Id version7(long millis, long twelveBits, long sixtyTwoBits) {
    return new Id((millis << 16) | 0x7000L | twelveBits, VARIANT | sixtyTwoBits);
  }

  /** Returns the smallest id of this time: every id that was made earlier comes before it. */
  public static Id smallestAt(Instant time) {
    return version7(Math.max(0, time.toEpochMilli()), 0, 0);
  }

  public UUID toUuid() {
    return new UUID(high, low);
  }

  /** Returns 7 for an id from {@link IdGenerator}, 8 for a deterministic one. */
  public int version() {
    return (int) ((high >>> 12) & 0xF);
  }

  /** Returns the millisecond in which a version 7 id was made; other versions hold no time. */
  public Instant time() {
    if (version() != 7) {
      throw KernelException.invalidValue(
          "id", "version 7, which holds a time", "version " + version());
    }
    return Instant.ofEpochMilli(high >>> 16);
  }

  @Override
  public int compareTo(Id other) {
    int order = Long.compareUnsigned(high, other.high);
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }

  /** Returns the ULID text: 26 digits of Crockford's base 32, upper case. */
  @Override
  @JsonValue
  public String toString() {
    var text = new char[ULID_LENGTH];
    long upper = high;
    long lower = low;
    for (int i = ULID_LENGTH - 1; i >= 0; i--) {
      text[i] = DIGITS.charAt((int) lower & 31);
      lower = (lower >>> 5) | (upper << 59);
      upper >>>= 5;
    }
    return new String(text);
  }

  private static Id parseUlid(String text) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < ULID_LENGTH; i++) {
      int value = value(text, i);
      if (i == 0 && value > 7) {
        throw malformed(text); // 26 digits hold 130 bits; the first two have to be zero
      }
      high = (high << 5) | (low >>> 59);
      low = (low << 5) | value;
    }
    return new Id(high, low);
  }

  private static int value(String text, int index) {
    char digit = text.charAt(index);
    int value = digit < VALUES.length ? VALUES[digit] : -1;
    if (value < 0) {
      throw malformed(text);
    }
    return value;
  }

  private static Id parseUuid(String text) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < UUID_LENGTH; i++) {
      char c = text.charAt(i);
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash != (c == '-')) {
        throw malformed(text);
      }
      if (!dash) {
        int value = c < 0x80 ? Character.digit(c, 16) : -1;
        if (value < 0) {
          throw malformed(text);
        }
        high = (high << 4) | (low >>> 60);
        low = (low << 4) | value;
      }
    }
    return new Id(high, low);
  }

  private static KernelException malformed(String text) {
    return KernelException.invalidValue("id", "a ULID of 26 characters or a UUID of 36", text);
  }

  private static byte[] values() {
    var values = new byte['z' + 1];
    Arrays.fill(values, (byte) -1);
    for (byte i = 0; i < DIGITS.length(); i++) {
      char digit = DIGITS.charAt(i);
      values[digit] = i;
      values[Character.toLowerCase(digit)] = i;
    }
    return values;
  }
}
