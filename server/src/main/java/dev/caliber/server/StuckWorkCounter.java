package dev.caliber.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.ServerModules;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A counter of stuck items of each kind in all spaces. Counting reads rows of each space, so that
 * the result is cached for a while.
 */
final class StuckWorkCounter {
  private static final Duration KEPT_BOUND = Duration.ofSeconds(10);

  private final ServerModules serverModules;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private Map<String, Long> counts = Map.of();

  @GuardedBy("lock")
  private Instant until = Instant.MIN;

  StuckWorkCounter(ServerModules serverModules) {
    this.serverModules = serverModules;
  }

  long count(String kind) {
    lock.lock();
    try {
      Instant now = serverModules.clock().instant();
      if (!now.isBefore(until)) {
        counts = countAll(now);
        until = now.plus(KEPT_BOUND);
      }
      return counts.getOrDefault(kind, 0L);
    } finally {
      lock.unlock();
    }
  }

  private Map<String, Long> countAll(Instant now) {
    Map<String, Long> all = new HashMap<>();
    for (SpaceId space : serverModules.store().spaces()) {
      serverModules
          .agents()
          .<Map<String, Long>>view(space, view -> view.countStuck(now))
          .forEach((kind, many) -> all.merge(kind, many, Long::sum));
    }
    return Map.copyOf(all);
  }
}
