package dev.caliber.bench.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs operations for a given time and measures each of them. */
@FunctionalInterface
public interface Load {

  /** Runs one operation, by the worker with this number. */
  void run(int worker);

  /** Runs operations one after the other, on the calling thread. */
  static Measurement runAlone(Duration time, Load load) {
    MeasuredSamples latencies = new MeasuredSamples();
    long start = Stopwatch.nanos();
    long end = start + time.toNanos();
    long before = start;
    while (before < end) {
      load.run(0);
      long after = Stopwatch.nanos();
      latencies.add(after - before);
      before = after;
    }
    return new Measurement(latencies.size(), before - start, latencies);
  }

  /** Runs operations on this number of platform threads, which all begin together. */
  static Measurement runConcurrently(int workers, Duration time, Load load) {
    if (workers == 1) {
      return runAlone(time, load);
    }
    CyclicBarrier start = new CyclicBarrier(workers);
    try (ExecutorService threads =
        Executors.newFixedThreadPool(workers, Thread.ofPlatform().name("bench-", 0).factory())) {
      List<Future<Measurement>> running = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        int worker = i;
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return runAlone(time, _ -> load.run(worker));
                }));
      }
      return joinAll(running);
    }
  }

  private static Measurement joinAll(List<Future<Measurement>> running) {
    List<Measurement> parts = new ArrayList<>();
    for (Future<Measurement> part : running) {
      try {
        parts.add(part.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while measuring", e);
      }
    }
    Measurement all = Measurement.total(parts);
    long longest = parts.stream().mapToLong(Measurement::nanos).max().orElse(0);
    return new Measurement(all.operations(), longest, all.latencies());
  }
}
