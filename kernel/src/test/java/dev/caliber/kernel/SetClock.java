package dev.caliber.kernel;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands where it was set, back in time as well. */
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
