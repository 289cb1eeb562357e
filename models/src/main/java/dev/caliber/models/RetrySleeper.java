package dev.caliber.models;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Wait between attempts, which a test can replace. */
interface RetrySleeper {

  RetrySleeper REAL = (closed, length) -> closed.await(length.toNanos(), TimeUnit.NANOSECONDS);

  /** Waits for this length, or until closed; returns true if closed. */
  boolean sleep(CountDownLatch closed, Duration length) throws InterruptedException;
}
