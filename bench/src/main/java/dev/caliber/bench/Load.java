package dev.caliber.bench;

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
interface Load {

  /** One operation, by the worker with this number. */
  void run(int worker);

  /** On the calling thread, one operation after the other. */
  static Measured alone(Duration time, Load load) {
    Samples latencies = new Samples();
    long start = Stopwatch.nanos();
    long end = start + time.toNanos();
    long before = start;
    while (before < end) {
      load.run(0);
      long after = Stopwatch.nanos();
      latencies.add(after - before);
      before = after;
    }
    return new Measured(latencies.size(), before - start, latencies);
  }

  /** On so many platform threads at once; all begin together. */
  static Measured together(int workers, Duration time, Load load) {
    if (workers == 1) {
      return alone(time, load);
    }
    CyclicBarrier start = new CyclicBarrier(workers);
    try (ExecutorService threads =
        Executors.newFixedThreadPool(workers, Thread.ofPlatform().name("bench-", 0).factory())) {
      List<Future<Measured>> running = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        int worker = i;
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return alone(time, _ -> load.run(worker));
                }));
      }
      return joined(running);
    }
  }

  private static Measured joined(List<Future<Measured>> running) {
    List<Measured> parts = new ArrayList<>();
    for (Future<Measured> part : running) {
      try {
        parts.add(part.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while measuring", e);
      }
    }
    Measured all = Measured.total(parts);
    long longest = parts.stream().mapToLong(Measured::nanos).max().orElse(0);
    return new Measured(all.operations(), longest, all.latencies());
  }
}
