package dev.caliber.server.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A tracker of running requests of all protocols, and of the time since the last one ended. */
public final class ActivityTracker {
  private final InstantSource clock;
  private int running; // guarded by this
  private Instant since; // guarded by this

  public ActivityTracker(InstantSource clock) {
    this.clock = clock;
    this.since = clock.instant();
  }

  /** Counts a request that starts. */
  public void beginRequest() {
    changeRunning(1);
  }

  /** Counts a request that was answered or abandoned. */
  public void endRequest() {
    changeRunning(-1);
  }

  private synchronized void changeRunning(int by) {
    running += by;
    since = clock.instant();
  }

  /** Returns the time since the last request ended; zero while a request is running. */
  public synchronized Duration idleTime() {
    return running > 0 ? Duration.ZERO : Duration.between(since, clock.instant());
  }
}
