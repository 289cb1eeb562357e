package dev.caliber.server.settings;

import dev.caliber.kernel.DataSize;
import java.time.Duration;

/** The bounds of the server's settings. */
final class ServerBounds {
  static final int PORT = 65_535;
  static final DataSize MIN_SLOWEST = new DataSize(1);
  static final DataSize MIN_BODY = new DataSize(1 << 10);
  static final DataSize MAX_BODY = new DataSize(64 << 20);
  static final int REQUESTS = 100_000;
  static final int PAGE = 1000;
  static final int COMMIT = 1000;
  static final int TEXTS = 100_000;
  static final int TOKENS = 10_000_000;
  static final int STREAMS = 1_000_000;
  static final double MIN_RATE = 0.001;
  static final double RATE = 1_000_000;
  static final Duration MIN_TIME = Duration.ofMillis(1);

  /**
   * The longest stop. At worst gRPC takes three of these, the proxy two and HTTP one, in sequence;
   * a process has three minutes to end.
   */
  static final Duration MAX_STOP = Duration.ofSeconds(25);

  static final Duration MAX_WAIT = Duration.ofHours(1);
  static final Duration MAX_TIME = Duration.ofDays(3650);

  private ServerBounds() {}
}
