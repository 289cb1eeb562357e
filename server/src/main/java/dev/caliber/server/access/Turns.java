package dev.caliber.server.access;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * As many at a time as settings say, whichever protocol they came by; who waits too long is told to
 * come back. A turn is for work: what a client still has to send, or to take, is waited for outside
 * of it.
 */
public final class Turns {
  private final Semaphore permits;
  private final Duration patience;
  private final CountDownLatch closing = new CountDownLatch(1);

  Turns(ServerConfig.Limits limits) {
    this.permits = new Semaphore(limits.requests(), true);
    this.patience = limits.patience();
  }

  /** Works when it is its turn, or refuses. */
  public <T> T take(Supplier<T> work) {
    if (!isGranted()) {
      throw ServerException.overloaded("server.limits.requests", patience);
    }
    try {
      return work.get();
    } finally {
      permits.release();
    }
  }

  private boolean isGranted() {
    try {
      return permits.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw ServerException.stopping(patience);
    }
  }

  /** Between two pieces of a long request; such a one ends when the server does. */
  public void pause(Duration time) throws InterruptedException {
    if (closing.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      throw ServerException.stopping(patience);
    }
  }

  /** Long requests end with their next piece. */
  public void close() {
    closing.countDown();
  }
}
