package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.store.StoreErrorCode;
import java.util.function.IntFunction;

/**
 * Batch size for work over several commits. A commit that is refused as too large halves the size;
 * each commit that succeeds doubles it, up to half of the refused size, so that the refusal does
 * not repeat. For one thread.
 */
final class AdaptiveBatchSize {
  private int next = Integer.MAX_VALUE;
  private int ceiling = Integer.MAX_VALUE;

  /** Runs one commit of at most {@code whole} records. Throws if a single record does not fit. */
  <T> T runCommit(int whole, IntFunction<T> work) {
    int most = Math.min(next, whole);
    try {
      T done = work.apply(most);
      next = (int) Math.min(2L * most, ceiling);
      return done;
    } catch (CaliberException e) {
      if (e.code().kind() != ErrorKind.LIMIT || most == 1) {
        throw e;
      }
      ceiling = most / 2;
      next = reducedSize(e);
      return runCommit(whole, work);
    }
  }

  /**
   * Returns one record after a commit that lasted too long, because it blocks all other writers.
   */
  private int reducedSize(CaliberException refusal) {
    return refusal.code() == StoreErrorCode.WRITE_TIMED_OUT ? 1 : ceiling;
  }
}
