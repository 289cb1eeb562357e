package dev.caliber.server.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Whether anybody is being served, by whatever protocol, and since when not. */
public final class Activity {
  private final InstantSource clock;
  private int running; // guarded by this
  private Instant since; // guarded by this

  public Activity(InstantSource clock) {
    this.clock = clock;
    this.since = clock.instant();
  }

  /** Somebody waits for an answer from now on. */
  public void begin() {
    change(1);
  }

  /** Somebody has an answer, or waits no longer. */
  public void end() {
    change(-1);
  }

  private synchronized void change(int by) {
    running += by;
    since = clock.instant();
  }

  /** How long nobody has asked for anything; nothing while somebody waits for an answer. */
  public synchronized Duration idle() {
    return running > 0 ? Duration.ZERO : Duration.between(since, clock.instant());
  }
}
