package dev.caliber.server.rest;

import dev.caliber.server.operation.ServerException;
import dev.caliber.server.settings.ServerConfig;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * As many at a time as settings say; who waits too long is told to come back. A turn is for work:
 * what a client still has to send, or to take, is waited for outside of it.
 */
final class Turns {
  private final Semaphore permits;
  private final Duration patience;
  private final CountDownLatch closing = new CountDownLatch(1);

  Turns(ServerConfig.Limits limits) {
    this.permits = new Semaphore(limits.requests(), true);
    this.patience = limits.patience();
  }

  <T> T take(Callable<T> work) throws Exception {
    if (!permits.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw ServerException.overloaded("server.limits.requests", patience);
    }
    try {
      return work.call();
    } finally {
      permits.release();
    }
  }

  /** Between two pieces of a long request; such a one ends when the server does. */
  void pause(Duration time) throws InterruptedException {
    if (closing.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      throw ServerException.stopping(patience);
    }
  }

  void close() {
    closing.countDown();
  }
}
