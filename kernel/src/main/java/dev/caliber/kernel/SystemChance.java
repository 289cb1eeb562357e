package dev.caliber.kernel;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Asks the operating system for many bytes at a time, and keeps none that was given. */
@Seam("the one place where chance enters the process")
final class SystemChance implements Chance {
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
