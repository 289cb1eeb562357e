package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.store.StoreErrorCode;
import java.util.function.IntFunction;

/**
 * How much each commit of a longer work takes: fewer where one was refused as too large, and twice
 * as much again after each that went well. For one thread.
 */
final class Portions {
  private int next = Integer.MAX_VALUE;

  /** One commit of at most so much; what not even one of it fits into is refused. */
  <T> T commit(int whole, IntFunction<T> work) {
    int most = Math.min(next, whole);
    try {
      T done = work.apply(most);
      next = (int) Math.min(2L * most, Integer.MAX_VALUE);
      return done;
    } catch (CaliberException e) {
      if (e.code().kind() != ErrorKind.LIMIT || most == 1) {
        throw e;
      }
      next = fewer(e, most);
      return commit(whole, work);
    }
  }

  /** A commit that lasts too long keeps everybody waiting: it is tried once more, with one. */
  private static int fewer(CaliberException refusal, int most) {
    return refusal.code() == StoreErrorCode.WRITE_TOO_LONG ? 1 : most / 2;
  }
}
