package dev.caliber.server.access;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** As many streams at a time as settings say, whichever protocol they are of. */
public final class StreamPlaces {
  private final Semaphore free;
  private final Duration patience;

  StreamPlaces(ServerConfig.Limits limits) {
    this.free = new Semaphore(limits.streams());
    this.patience = limits.patience();
  }

  /** Takes a place, or refuses; whoever has one gives it back. */
  public void take() {
    if (!free.tryAcquire()) {
      throw ServerException.overloaded("server.limits.streams", patience);
    }
  }

  public void giveBack() {
    free.release();
  }
}
