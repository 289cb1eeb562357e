package dev.caliber.server.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.caliber.server.operation.ServerException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/**
 * A decoder for subjects in headers: UTF-8, or percent-encoded UTF-8. HTTP servers decode header
 * bytes as Latin-1, and gRPC metadata is ASCII only.
 */
final class SubjectHeader {
  private static final int LAST_BYTE = 0xff;
  private static final char ESCAPE = '%';
  private static final int HEX_DIGITS = 2;
  private static final String NO_DIGITS = "%%";
  private static final char UNKNOWN = '\ufffd';

  private SubjectHeader() {}

  /** Decodes the subject; refuses a blank one and invalid encodings. */
  static String decode(String header) {
    try {
      byte[] bytes =
          header.chars().allMatch(one -> one <= LAST_BYTE)
              ? header.getBytes(ISO_8859_1)
              : header.getBytes(UTF_8);
      String name = UTF_8.newDecoder().decode(ByteBuffer.wrap(percentDecode(bytes))).toString();
      if (!name.isBlank() && name.indexOf(UNKNOWN) < 0) {
        return name;
      }
    } catch (CharacterCodingException | IllegalArgumentException _) {
      // refused below, without quoting the header
    }
    throw ServerException.invalidInput(
        "",
        Admission.SUBJECT
            + ": expected the name of a subject, in UTF-8 or percent-encoded (%25 for %)");
  }

  private static byte[] percentDecode(byte[] bytes) {
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
