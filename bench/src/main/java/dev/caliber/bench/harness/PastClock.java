package dev.caliber.bench.harness;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicReference;

/** The machine's time, shifted into the past, for data with a past. */
public final class PastClock extends Clock {
  private final Clock present;
  private final AtomicReference<Duration> back = new AtomicReference<>(Duration.ZERO);

  public PastClock(Clock present) {
    this.present = present;
  }

  public void goBack(Duration by) {
    back.set(by);
  }

  @Override
  public Instant instant() {
    return present.instant().minus(back.get());
  }

  @Override
  public ZoneId getZone() {
    return present.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
