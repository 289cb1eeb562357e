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
  private final UnreadBodyDrainer unreadBodyDrainer =
      new UnreadBodyDrainer(new DataSize(100), Duration.ofSeconds(30), clock);

  /** An endless stream of fixed-size pieces that advances the clock between them. */
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
  @DisplayName("ERR-08: a client that sends slowly after a refusal is disconnected soon")
  void dripsEnd() {
    Sender sender = new Sender(1, Duration.ofSeconds(10));
    unreadBodyDrainer.drain(sender);
    assertThat(sender.reads).isEqualTo(3);
  }

  @Test
  @DisplayName("ERR-08: a client that sends fast after a refusal is disconnected soon")
  void floodsEnd() {
    Sender sender = new Sender(60, Duration.ZERO);
    unreadBodyDrainer.drain(sender);
    assertThat(sender.reads).isEqualTo(5);
  }
}
