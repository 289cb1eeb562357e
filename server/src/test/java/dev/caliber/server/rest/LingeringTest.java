package dev.caliber.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.DataSize;
import dev.caliber.testkit.ManualClock;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class LingeringTest {
  private final ManualClock clock = new ManualClock();
  private final Lingering lingering =
      new Lingering(new DataSize(100), Duration.ofSeconds(30), clock);

  /** Sends for ever, so many bytes at a time, and lets time go by between them. */
  private final class Sender extends InputStream {
    private final int bytes;
    private final Duration pause;
    private int reads;

    Sender(int bytes, Duration pause) {
      this.bytes = bytes;
      this.pause = pause;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("one byte at a time");
    }

    @Override
    public int read(byte[] chunk, int offset, int length) {
      clock.advance(pause);
      reads++;
      return bytes;
    }
  }

  @Test
  @DisplayName("ERR-08: whoever drips after a refusal is not listened to for long")
  void dripsEnd() {
    Sender sender = new Sender(1, Duration.ofSeconds(10));
    lingering.readOn(sender);
    assertThat(sender.reads).isEqualTo(3);
  }

  @Test
  @DisplayName("ERR-08: whoever floods after a refusal is not listened to for long")
  void floodsEnd() {
    Sender sender = new Sender(60, Duration.ZERO);
    lingering.readOn(sender);
    assertThat(sender.reads).isEqualTo(5);
  }
}
