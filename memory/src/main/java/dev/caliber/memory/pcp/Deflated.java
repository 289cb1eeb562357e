package dev.caliber.memory.pcp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Bytes in the form of zlib. */
final class Deflated {
  private Deflated() {}

  static byte[] of(byte[] content) {
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
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
