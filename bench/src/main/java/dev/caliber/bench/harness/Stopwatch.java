package dev.caliber.bench.harness;

import dev.caliber.kernel.SystemAccess;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A clock of real time: a bench cannot measure with a fake clock. */
@SystemAccess("A bench measures the machine's own time; every bench class takes it from here.")
public final class Stopwatch {

  private static final double NANOS = 1e9;

  private Stopwatch() {}

  public static long nanos() {
    return System.nanoTime();
  }

  public static Clock clock() {
    return Clock.systemUTC();
  }

  public static double seconds(long nanos) {
    return nanos / NANOS;
  }

  /** Returns at this time or later, never before. */
  public static void waitUntil(long nanos) {
    long left = nanos - nanos();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = nanos - nanos();
    }
  }

  public static long nanosAfter(Duration duration) {
    return nanos() + duration.toNanos();
  }
}
