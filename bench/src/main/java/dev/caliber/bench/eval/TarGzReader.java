package dev.caliber.bench.eval;

import dev.caliber.bench.harness.BenchException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.zip.GZIPInputStream;

/**
 * Reads the plain files of a tar archive: 512-byte headers (name, size in octal, type), contents.
 */
final class TarGzReader {

  private static final int BLOCK = 512;
  private static final int NAME_LENGTH = 100;
  private static final int SIZE_AT = 124;
  private static final int SIZE_LENGTH = 11;
  private static final int TYPE_AT = 156;
  private static final int OCTAL = 8;

  private TarGzReader() {}

  static void forEachFile(Path file, BiConsumer<String, byte[]> use) {
    try (DataInputStream in =
        new DataInputStream(new GZIPInputStream(Files.newInputStream(file)))) {
      byte[] header = new byte[BLOCK];
      while (readHeader(in, header)) {
        byte[] content = in.readNBytes(size(header));
        in.skipNBytes(Math.floorMod(-content.length, BLOCK));
        if (header[TYPE_AT] == 0 || header[TYPE_AT] == '0') {
          use.accept(text(header, 0, NAME_LENGTH), content);
        }
      }
    } catch (IOException | NumberFormatException e) {
      throw BenchException.unreadable(file, e);
    }
  }

  /** Reads a header; returns false at the end: an empty block, or none. */
  private static boolean readHeader(DataInputStream in, byte[] header) throws IOException {
    try {
      in.readFully(header);
      return header[0] != 0;
    } catch (EOFException _) {
      return false;
    }
  }

  private static int size(byte[] header) {
    return Integer.parseInt(text(header, SIZE_AT, SIZE_LENGTH), OCTAL);
  }

  private static String text(byte[] header, int at, int length) {
    String text = new String(header, at, length, StandardCharsets.UTF_8);
    int end = text.indexOf('\0');
    return (end < 0 ? text : text.substring(0, end)).strip();
  }
}
