package dev.caliber.kernel;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Clock that stops at the time it was set to, which may be earlier than before. */
final class SetClock extends Clock {
  private volatile Instant now;

  SetClock(Instant now) {
    this.now = now;
  }

  void set(Instant time) {
    now = time;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
