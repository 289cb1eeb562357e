package dev.caliber.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Rooms;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many of each kind are stuck in all spaces: looked for in one read of each space, and kept for
 * a while, because rows have to be read for it.
 */
final class StuckCounts {
  private static final Duration KEPT_BOUND = Duration.ofSeconds(10);

  private final Rooms rooms;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private Map<String, Long> counts = Map.of();

  @GuardedBy("lock")
  private Instant until = Instant.MIN;

  StuckCounts(Rooms rooms) {
    this.rooms = rooms;
  }

  long count(String kind) {
    lock.lock();
    try {
      Instant now = rooms.clock().instant();
      if (!now.isBefore(until)) {
        counts = look(now);
        until = now.plus(KEPT_BOUND);
      }
      return counts.getOrDefault(kind, 0L);
    } finally {
      lock.unlock();
    }
  }

  private Map<String, Long> look(Instant now) {
    Map<String, Long> all = new HashMap<>();
    for (SpaceId space : rooms.store().spaces()) {
      rooms
          .agents()
          .<Map<String, Long>>view(space, view -> view.countStuck(now))
          .forEach((kind, many) -> all.merge(kind, many, Long::sum));
    }
    return Map.copyOf(all);
  }
}
