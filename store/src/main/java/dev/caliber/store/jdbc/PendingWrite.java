package dev.caliber.store.jdbc;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Transaction;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Write that waits for its turn, and its outcome. The outcome is handed over only after the group's
 * commit: even a refusal may depend on changes of an earlier write of the group.
 */
final class PendingWrite<T> {

  private final SpaceId space;
  private final Function<Transaction, T> work;
  private final CompletableFuture<T> outcome = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable refusal;

  PendingWrite(SpaceId space, Function<Transaction, T> work) {
    this.space = space;
    this.work = work;
  }

  SpaceId space() {
    return space;
  }

  CompletableFuture<T> outcome() {
    return outcome;
  }

  void run(Transaction transaction) {
    result = work.apply(transaction);
  }

  void refuse(Throwable reason) {
    refusal = reason;
  }

  /** Completes the write after the commit. */
  @SuppressWarnings("NullAway") // a result may be null when T allows it
  void completeAfterCommit() {
    if (refusal != null) {
      outcome.completeExceptionally(refusal);
    } else {
      outcome.complete(result);
    }
  }

  /**
   * Completes the write when the commit did not happen. A write that was refused keeps its own
   * reason.
   */
  void completeWithFailure(Throwable reason) {
    outcome.completeExceptionally(refusal != null ? refusal : reason);
  }
}
