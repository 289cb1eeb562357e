package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.store.StoreErrorCode;
import java.util.function.IntFunction;

/**
 * How much each commit of a longer work takes: fewer where one was refused as too large, and twice
 * as much again after each that went well, up to half of what was refused: no refusal is met again.
 * For one thread.
 */
final class Portions {
  private int next = Integer.MAX_VALUE;
  private int ceiling = Integer.MAX_VALUE;

  /** One commit of at most so much; what not even one of it fits into is refused. */
  <T> T commit(int whole, IntFunction<T> work) {
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
      next = fewer(e);
      return commit(whole, work);
    }
  }

  /** A commit that lasts too long keeps everybody waiting: it is tried once more, with one. */
  private int fewer(CaliberException refusal) {
    return refusal.code() == StoreErrorCode.WRITE_TOO_LONG ? 1 : ceiling;
  }
}
