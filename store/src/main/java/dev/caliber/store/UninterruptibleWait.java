package dev.caliber.store;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Waiting that an interrupt does not cut short: the interrupt flag is set again afterwards. */
public final class UninterruptibleWait {

  private UninterruptibleWait() {}

  /**
   * Waits for a write, which cannot be taken back once it runs, so that its caller learns its
   * outcome.
   */
  public static <T> T await(CompletableFuture<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException _) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw toRuntimeException(e.getCause());
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

  public static void join(Thread thread) {
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

  /** Returns the original exception, with the place of the waiting added as suppressed. */
  private static RuntimeException toRuntimeException(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof RuntimeException exception) {
      exception.addSuppressed(new WaitingCallerTrace());
      return exception;
    }
    return new IllegalStateException(cause);
  }

  /** Marks in a stack trace where the outcome was waited for. */
  private static final class WaitingCallerTrace extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
