package dev.caliber.kernel;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Random source that reads many bytes from the operating system at a time, and erases those it has
 * returned.
 */
@SystemAccess("the one place where chance enters the process")
final class SystemRandomSource implements RandomSource {
  private static final int BYTES_AT_ONCE = 512;

  private final SecureRandom random = new SecureRandom();

  /* Guarded by this. */
  private final ByteBuffer waiting = ByteBuffer.allocate(BYTES_AT_ONCE).limit(0);

  @Override
  public synchronized long nextLong() {
    if (!waiting.hasRemaining()) {
      random.nextBytes(waiting.clear().array());
    }
    long given = waiting.getLong();
    waiting.putLong(waiting.position() - Long.BYTES, 0);
    return given;
  }
}
