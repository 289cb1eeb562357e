package dev.caliber.memory.pcp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Compression of bytes with zlib. */
final class ZlibCompression {
  /** Maximum size of a JSON document. */
  private static final int INFLATED_BOUND = 64 << 20;

  private ZlibCompression() {}

  static byte[] deflate(byte[] content) {
    ByteArrayOutputStream smaller = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(smaller)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return smaller.toByteArray();
  }

  static byte[] inflate(byte[] smaller) {
    try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(smaller))) {
      byte[] content = in.readNBytes(INFLATED_BOUND);
      if (in.read() >= 0) {
        throw new IllegalArgumentException(
            "The decompressed content is longer than %d bytes".formatted(INFLATED_BOUND));
      }
      return content;
    } catch (IOException e) {
      throw new IllegalArgumentException("The content is not valid zlib data", e);
    }
  }
}
