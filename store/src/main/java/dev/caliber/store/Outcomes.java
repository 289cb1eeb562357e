package dev.caliber.store;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Waiting that an interrupt does not cut short: the flag is set again afterwards. */
final class Outcomes {

  private Outcomes() {}

  /**
   * A write that is under way cannot be taken back, so its caller waits to learn what became of it.
   */
  static <T> T await(CompletableFuture<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException _) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw rethrown(e.getCause());
        } catch (CancellationException _) {
          throw StoreException.closed();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The exception keeps its identity; where it was waited for is added to it. */
  private static RuntimeException rethrown(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof RuntimeException exception) {
      exception.addSuppressed(new WaitedHere());
      return exception;
    }
    return new IllegalStateException(cause);
  }

  /** Shows in a stack trace where the outcome was waited for. */
  private static final class WaitedHere extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
