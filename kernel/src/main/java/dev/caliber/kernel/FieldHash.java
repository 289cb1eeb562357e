package dev.caliber.kernel;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * SHA-256, and the one way in which Caliber hashes a list of fields.
 *
 * <p>The layout of {@link #hash}, version 1, is the SHA-256 of these bytes, as lower-case
 * hexadecimal text:
 *
 * <pre>{@code
 * "v1|" kind "|" field*          field = length ":" bytes
 * }</pre>
 *
 * {@code bytes} is the field in UTF-8, {@code length} the number of those bytes in decimal ASCII
 * digits without leading zeros. {@code hash("note", "a", "")} is the SHA-256 of {@code
 * v1|note|1:a0:}. Since each field announces its length and a kind contains no {@code |}, two
 * different lists never give the same bytes. An unpaired surrogate counts as the three bytes of its
 * code point. A number is a field of its eight bytes, the highest first; an id is two such fields,
 * and so is a time (seconds since 1970, microseconds).
 */
public final class FieldHash {
  private static final byte EIGHT = '0' + Long.BYTES;

  private FieldHash() {}

  public static byte[] sha256(byte[] bytes) {
    return sha256().digest(bytes);
  }

  /** Returns two lower-case digits for each byte. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the hash of a list of fields, in the layout of the class comment. */
  public static String hash(String kind, String... parts) {
    return hex(digest(kind, parts));
  }

  static byte[] digest(String kind, String... parts) {
    FieldHasher fieldHasher = fieldHasher(kind);
    for (String part : parts) {
      fieldHasher.text(part);
    }
    return fieldHasher.digest();
  }

  /** Returns a hasher that computes the same hash field by field, for long lists. */
  public static FieldHasher fieldHasher(String kind) {
    if (kind.isBlank() || kind.indexOf('|') >= 0) {
      throw KernelException.invalidValue("kind of a hash", "text without '|'", kind);
    }
    return new FieldHasher(kind);
  }

  /** Hasher of a list of fields that grows until its hash is asked for, once. */
  public static final class FieldHasher {
    private static final int PENDING_BOUND = 4096;
    private static final long NANOS_PER_MICRO = 1000;

    private final MessageDigest digest = sha256();
    private final ByteBuffer pending = ByteBuffer.allocate(PENDING_BOUND);

    private FieldHasher(String kind) {
      put(Utf8.bytes("v1|" + kind + "|"));
    }

    public FieldHasher text(String field) {
      return bytes(Utf8.bytes(field));
    }

    public FieldHasher bytes(byte[] field) {
      put((field.length + ":").getBytes(StandardCharsets.US_ASCII));
      put(field);
      return this;
    }

    public FieldHasher number(long field) {
      ensureCapacity(2 + Long.BYTES);
      pending.put(EIGHT).put((byte) ':').putLong(field);
      return this;
    }

    public FieldHasher number(double field) {
      return number(Double.doubleToLongBits(field));
    }

    public FieldHasher flag(boolean field) {
      return number(field ? 1L : 0L);
    }

    public FieldHasher id(Id field) {
      return number(field.high()).number(field.low());
    }

    /** Adds a time, to the microsecond. */
    public FieldHasher time(Instant field) {
      return number(field.getEpochSecond()).number(field.getNano() / NANOS_PER_MICRO);
    }

    /** Adds the number of elements, then each of them. */
    public <T> FieldHasher each(Collection<T> elements, BiConsumer<FieldHasher, T> element) {
      number(elements.size());
      elements.forEach(one -> element.accept(this, one));
      return this;
    }

    public <T> FieldHasher each(Optional<T> present, BiConsumer<FieldHasher, T> element) {
      return each(present.stream().toList(), element);
    }

    public String hash() {
      return hex(digest());
    }

    private byte[] digest() {
      flush();
      return digest.digest();
    }

    /** Buffers small fields, since each call of the digest has a cost. */
    private void put(byte[] bytes) {
      if (bytes.length > PENDING_BOUND) {
        flush();
        digest.update(bytes);
      } else {
        ensureCapacity(bytes.length);
        pending.put(bytes);
      }
    }

    private void ensureCapacity(int room) {
      if (pending.remaining() < room) {
        flush();
      }
    }

    private void flush() {
      digest.update(pending.flip());
      pending.clear();
    }
  }

  /** Returns a SHA-256 digest. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
