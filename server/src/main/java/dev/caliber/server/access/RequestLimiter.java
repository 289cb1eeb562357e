package dev.caliber.server.access;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A limit on concurrent requests, across all protocols; a request that waits too long is refused
 * with a retry time. Only work is counted: the server waits for a slow client without holding a
 * slot.
 */
public final class RequestLimiter {
  private final Semaphore permits;
  private final Duration patience;
  private final CountDownLatch closing = new CountDownLatch(1);

  RequestLimiter(ServerConfig.ServerLimits serverLimits) {
    this.permits = new Semaphore(serverLimits.concurrentRequests(), true);
    this.patience = serverLimits.queueTimeout();
  }

  /** Runs the work in a free slot, or refuses. */
  public <T> T runLimited(Supplier<T> work) {
    if (!isPermitAcquired()) {
      throw ServerException.overloaded("server.limits.concurrent-requests", patience);
    }
    try {
      return work.get();
    } finally {
      permits.release();
    }
  }

  private boolean isPermitAcquired() {
    try {
      return permits.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ServerException.serverStopping(patience);
    }
  }

  /** Waits between two parts of a long request; the request ends when the server stops. */
  public void pause(Duration time) throws InterruptedException {
    if (closing.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      throw ServerException.serverStopping(patience);
    }
  }

  /** Ends long requests before their next part. */
  public void close() {
    closing.countDown();
  }
}
