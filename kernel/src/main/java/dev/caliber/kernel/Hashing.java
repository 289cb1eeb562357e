package dev.caliber.kernel;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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
 * code point.
 */
public final class Hashing {
  private Hashing() {}

  public static byte[] sha256(byte[] bytes) {
    return sha256().digest(bytes);
  }

  /** Two lower-case digits for each byte. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** The hash of a list of fields, in the layout of the class comment. */
  public static String hash(String kind, String... parts) {
    return hex(digest(kind, parts));
  }

  static byte[] digest(String kind, String... parts) {
    if (kind.isBlank() || kind.indexOf('|') >= 0) {
      throw KernelException.invalidValue("kind of a hash", "text without '|'", kind);
    }
    var digest = sha256();
    digest.update(Utf8.bytes("v1|" + kind + "|"));
    for (String part : parts) {
      byte[] bytes = Utf8.bytes(part);
      digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
      digest.update(bytes);
    }
    return digest.digest();
  }

  /** A SHA-256 that is fed piece by piece. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
