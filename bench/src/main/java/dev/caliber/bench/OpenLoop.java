package dev.caliber.bench;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests at a fixed rate, whether earlier ones have been answered or not. The time of a request
 * counts from when it should have begun, so that a server that stands still is not excused for the
 * requests that waited meanwhile.
 */
record OpenLoop(int rate, Duration time) {
  private static final long NANOS = 1_000_000_000;
  private static final int RUNNING_BOUND = 4096;

  /** One request; false if it was refused. */
  interface Request {
    boolean send(long number);
  }

  /** What came of it. */
  record Outcome(Samples latencies, long refused) {
    double p(double share) {
      return latencies.percentile(share) / 1e6;
    }
  }

  Outcome run(Request request) {
    ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    AtomicLong refused = new AtomicLong();
    Semaphore running = new Semaphore(RUNNING_BOUND);
    long count = Math.max(1, rate * time.toNanos() / NANOS);
    long start = Stopwatch.nanos();
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("load-", 0).factory())) {
      for (long i = 0; i < count; i++) {
        long number = i;
        long intended = start + i * NANOS / rate;
        Stopwatch.waitUntil(intended);
        if (!running.tryAcquire()) {
          refused.incrementAndGet(); // so many unanswered ones are as good as a refusal
          continue;
        }
        threads.execute(
            () -> {
              if (!request.send(number)) {
                refused.incrementAndGet();
              }
              latencies.add(Stopwatch.nanos() - intended);
              running.release();
            });
      }
    }
    Samples samples = new Samples();
    latencies.forEach(samples::add);
    return new Outcome(samples, refused.get());
  }
}
