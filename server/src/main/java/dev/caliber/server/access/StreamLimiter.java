package dev.caliber.server.access;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** A limit on concurrent streams, across all protocols. */
public final class StreamLimiter {
  private final Semaphore free;
  private final Map<String, Integer> ofKeys = new ConcurrentHashMap<>();
  private final int perKey;
  private final Duration patience;

  StreamLimiter(ServerConfig config) {
    this.free = new Semaphore(config.limits().streams());
    this.perKey = config.network().perKey().streams();
    this.patience = config.limits().queueTimeout();
  }

  /** Takes a place, counted in total and per key, or refuses; the returned action releases it. */
  public Runnable acquire(String key) {
    if (!free.tryAcquire()) {
      throw ServerException.overloaded("server.limits.streams", patience);
    }
    if (ofKeys.merge(key, 1, Integer::sum) > perKey) {
      release(key);
      throw ServerException.overloaded("server.limits.streams-per-key", patience);
    }
    return () -> release(key);
  }

  private void release(String key) {
    ofKeys.computeIfPresent(key, (_, open) -> open > 1 ? open - 1 : null);
    free.release();
  }
}
