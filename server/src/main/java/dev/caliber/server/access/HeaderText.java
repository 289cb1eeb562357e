package dev.caliber.server.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.caliber.server.operation.ServerException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/**
 * The name of a subject in a header: UTF-8, or percent-encoded UTF-8. HTTP hands on the bytes of a
 * header as Latin-1, and gRPC has ASCII alone.
 */
final class HeaderText {
  private static final int LAST_BYTE = 0xff;
  private static final char ESCAPE = '%';
  private static final int HEX_DIGITS = 2;
  private static final String NO_DIGITS = "%%";
  private static final char UNKNOWN = '\ufffd';

  private HeaderText() {}

  /** The name that the header means; refuses one that is blank or neither of the two. */
  static String decode(String header) {
    try {
      byte[] bytes =
          header.chars().allMatch(one -> one <= LAST_BYTE)
              ? header.getBytes(ISO_8859_1)
              : header.getBytes(UTF_8);
      String name = UTF_8.newDecoder().decode(ByteBuffer.wrap(unescaped(bytes))).toString();
      if (!name.isBlank() && name.indexOf(UNKNOWN) < 0) {
        return name;
      }
    } catch (CharacterCodingException | IllegalArgumentException _) {
      // refused below, without what it holds
    }
    throw ServerException.invalidInput(
        "",
        Admission.SUBJECT
            + ": wanted the name of a subject, in UTF-8 or percent-encoded (%25 for %)");
  }

  private static byte[] unescaped(byte[] bytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != ESCAPE) {
        all.write(bytes[i]);
      } else {
        int end = Math.min(i + 1 + HEX_DIGITS, bytes.length);
        String digits = new String(bytes, i + 1, end - i - 1, ISO_8859_1);
        all.writeBytes(HexFormat.of().parseHex(digits.length() < HEX_DIGITS ? NO_DIGITS : digits));
        i += HEX_DIGITS;
      }
    }
    return all.toByteArray();
  }
}
