package dev.caliber.agents;

import dev.caliber.testkit.ManualClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Clock of the acting node: the true time and the error of that node. */
final class SkewedClock extends Clock {
  private final ManualClock truth = new ManualClock();
  private Duration skew = Duration.ZERO;

  ManualClock truth() {
    return truth;
  }

  void skew(Duration newSkew) {
    skew = newSkew;
  }

  @Override
  public Instant instant() {
    return truth.instant().plus(skew);
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
