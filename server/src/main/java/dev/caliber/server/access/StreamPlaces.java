package dev.caliber.server.access;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** As many streams at a time as settings say, whichever protocol they are of. */
public final class StreamPlaces {
  private final Semaphore free;
  private final Map<String, Integer> ofKeys = new ConcurrentHashMap<>();
  private final int perKey;
  private final Duration patience;

  StreamPlaces(ServerConfig config) {
    this.free = new Semaphore(config.limits().streams());
    this.perKey = config.network().perKey().streams();
    this.patience = config.limits().patience();
  }

  /** Takes a place of all and of the key's own, or refuses; the answer gives it back. */
  public Runnable take(String key) {
    if (!free.tryAcquire()) {
      throw ServerException.overloaded("server.limits.streams", patience);
    }
    if (ofKeys.merge(key, 1, Integer::sum) > perKey) {
      giveBack(key);
      throw ServerException.overloaded("server.limits.streams-per-key", patience);
    }
    return () -> giveBack(key);
  }

  private void giveBack(String key) {
    ofKeys.computeIfPresent(key, (_, open) -> open > 1 ? open - 1 : null);
    free.release();
  }
}
