package dev.caliber.store.jdbc.sql;

import dev.caliber.store.BinaryColumn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * CRC-32C of a row over the parts that {@code StoreFormatV1} lists, each preceded by its length. A
 * binary is preceded by its name too, and a missing one adds nothing, so that a table can get
 * another binary without a change to its rows.
 */
public final class RowChecksum {

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
  private String lastSpace = "";
  private byte[] lastSpaceBytes = {};

  public long compute(
      String space, String key, StoredBody body, List<? extends BinaryColumn<?>> binaries) {
    return compute(space, key.getBytes(StandardCharsets.UTF_8), body, binaries);
  }

  /** Computes the checksum; the key is given as the bytes that the database holds. */
  public long compute(
      String space, byte[] key, StoredBody body, List<? extends BinaryColumn<?>> binaries) {
    crc.reset();
    add(bytesOf(space));
    add(key);
    add(body.revision());
    add(body.schema());
    add(body.json());
    for (int i = 0; i < body.binaries().size(); i++) {
      byte[] binary = body.binaries().get(i);
      if (binary != null) {
        add(binaries.get(i).name().getBytes(StandardCharsets.UTF_8));
        add(binary);
      }
    }
    return crc.getValue();
  }

  /**
   * Returns the bytes of the space's name, cached because a session stays in one space for a while.
   */
  private byte[] bytesOf(String space) {
    if (!space.equals(lastSpace)) {
      lastSpace = space;
      lastSpaceBytes = space.getBytes(StandardCharsets.UTF_8);
    }
    return lastSpaceBytes;
  }

  private void add(byte[] bytes) {
    add(bytes.length);
    crc.update(bytes);
  }

  private void add(long value) {
    crc.update(number.clear().putLong(value).flip());
  }
}
