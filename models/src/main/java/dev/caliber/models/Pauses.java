package dev.caliber.models;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waiting between attempts, as something that a test can watch. */
interface Pauses {

  Pauses REAL = (closed, length) -> closed.await(length.toNanos(), TimeUnit.NANOSECONDS);

  /** Waits for so long, or until it is closed; true when it is. */
  boolean pause(CountDownLatch closed, Duration length) throws InterruptedException;
}
