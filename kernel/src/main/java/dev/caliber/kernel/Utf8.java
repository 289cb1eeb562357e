package dev.caliber.kernel;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * UTF-8 encoding of any Java string. An unpaired surrogate, which UTF-8 proper cannot hold, becomes
 * the three bytes that its code point would have: so two different strings never have the same
 * bytes, and every string has a length.
 */
final class Utf8 {
  /** Characters below this take one byte. */
  private static final int ONE_BYTE = 0x80;

  private Utf8() {}

  static byte[] bytes(String text) {
    return hasUnpairedSurrogate(text)
        ? encodeWithSurrogates(text)
        : text.getBytes(StandardCharsets.UTF_8);
  }

  static long length(String text) {
    long length = text.length();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= ONE_BYTE) {
        length += extraBytes(text, i);
      }
    }
    return length;
  }

  /** Returns the bytes that a character takes beyond one; the halves of a pair have two each. */
  private static int extraBytes(String text, int index) {
    return isSurrogateHalf(text, index) ? 1 : length(text.charAt(index)) - 1;
  }

  private static boolean isSurrogateHalf(String text, int index) {
    char c = text.charAt(index);
    return Character.isHighSurrogate(c)
        ? index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1))
        : Character.isLowSurrogate(c)
            && index > 0
            && Character.isHighSurrogate(text.charAt(index - 1));
  }

  static int length(int codePoint) {
    if (codePoint < ONE_BYTE) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < Character.MIN_SUPPLEMENTARY_CODE_POINT ? 3 : 4;
  }

  private static boolean hasUnpairedSurrogate(String text) {
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      if (isSurrogate(codePoint)) {
        return true;
      }
      i += Character.charCount(codePoint);
    }
    return false;
  }

  private static byte[] encodeWithSurrogates(String text) {
    var bytes = new ByteArrayOutputStream(text.length() * 2);
    text.codePoints()
        .forEach(
            codePoint -> {
              if (isSurrogate(codePoint)) {
                bytes.write(0xE0 | (codePoint >> 12));
                bytes.write(0x80 | ((codePoint >> 6) & 0x3F));
                bytes.write(0x80 | (codePoint & 0x3F));
              } else {
                bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
              }
            });
    return bytes.toByteArray();
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
