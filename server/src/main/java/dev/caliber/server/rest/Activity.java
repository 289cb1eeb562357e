package dev.caliber.server.rest;

import io.javalin.http.Handler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Whether anybody is being served, and since when not. */
final class Activity {
  private final InstantSource clock;
  private int running; // guarded by this
  private Instant since; // guarded by this

  Activity(InstantSource clock) {
    this.clock = clock;
    this.since = clock.instant();
  }

  Handler counted(Handler handler) {
    return context -> {
      change(1);
      try {
        handler.handle(context);
      } finally {
        change(-1);
      }
    };
  }

  private synchronized void change(int by) {
    running += by;
    since = clock.instant();
  }

  synchronized Duration idle() {
    return running > 0 ? Duration.ZERO : Duration.between(since, clock.instant());
  }
}
