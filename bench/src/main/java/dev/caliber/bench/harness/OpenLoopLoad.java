package dev.caliber.bench.harness;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests at a fixed rate, whether earlier ones have been answered or not. The time of a request
 * counts from its scheduled start, so that a stalled server is charged for the requests that waited
 * meanwhile.
 */
public record OpenLoopLoad(int rate, Duration time) {
  private static final long NANOS = 1_000_000_000;
  private static final int RUNNING_BOUND = 4096;

  /** Sends one request; returns false if it was refused. */
  public interface LoadRequest {
    boolean send(long number);
  }

  /** The latencies, and the number of refused requests. */
  public record OpenLoopResult(MeasuredSamples latencies, long refused) {
    public double percentileMillis(double share) {
      return latencies.percentile(share) / 1e6;
    }
  }

  public OpenLoopResult run(LoadRequest loadRequest) {
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
          refused.incrementAndGet(); // too many unanswered requests count as a refusal
          continue;
        }
        threads.execute(
            () -> {
              if (!loadRequest.send(number)) {
                refused.incrementAndGet();
              }
              latencies.add(Stopwatch.nanos() - intended);
              running.release();
            });
      }
    }
    MeasuredSamples measuredSamples = new MeasuredSamples();
    latencies.forEach(measuredSamples::add);
    return new OpenLoopResult(measuredSamples, refused.get());
  }
}
