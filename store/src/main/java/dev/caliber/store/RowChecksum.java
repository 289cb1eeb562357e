package dev.caliber.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The CRC-32C of a row: what {@code StoreFormatV1} lists, each part preceded by its length. */
final class RowChecksum {

  private static final int ABSENT = -1;

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

  long of(String space, String key, StoredBody body) {
    crc.reset();
    add(space.getBytes(StandardCharsets.UTF_8));
    add(key.getBytes(StandardCharsets.UTF_8));
    add(body.revision());
    add(body.schema());
    add(body.json());
    for (byte @Nullable [] binary : body.binaries()) {
      if (binary == null) {
        add(ABSENT);
      } else {
        add(binary);
      }
    }
    return crc.getValue();
  }

  private void add(byte[] bytes) {
    add(bytes.length);
    crc.update(bytes);
  }

  private void add(long value) {
    crc.update(number.clear().putLong(value).flip());
  }
}
