package dev.caliber.kernel;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Vector clock: one counter for each host, of the changes seen from it. Clocks are partly ordered:
 * one is before another when no counter is greater and one is less. A counter of 0 is the same as
 * none and is left out, so that equal clocks are equal records.
 */
public record VectorClock(SortedMap<String, Long> counters) {
  /** Order of two clocks. */
  public enum ClockOrdering {
    BEFORE,
    AFTER,
    EQUAL,
    /** Each has seen a change that the other has not. */
    CONCURRENT
  }

  /** Clock that has seen no change. */
  public static final VectorClock EMPTY = new VectorClock(new TreeMap<>());

  public VectorClock {
    var copy = new TreeMap<String, Long>();
    counters.forEach(
        (host, counter) -> {
          if (host.isBlank()) {
            throw KernelException.requiredFieldMissing("host of a vector clock");
          }
          if (counter < 0) {
            throw KernelException.invalidValue(
                "vector clock", "counters of 0 or more", counter.toString());
          }
          if (counter > 0) {
            copy.put(host, counter);
          }
        });
    counters = Collections.unmodifiableSortedMap(copy);
  }

  /** Returns the counter of the host, 0 for an unseen one. */
  public long counter(String host) {
    return counters.getOrDefault(host, 0L);
  }

  /** Returns this clock after one more change of the host. */
  public VectorClock increment(String host) {
    long counter = counter(host);
    if (counter == Long.MAX_VALUE) {
      throw KernelException.invalidValue(
          "vector clock", "a counter that can grow", Long.toString(counter));
    }
    var ticked = new TreeMap<>(counters);
    ticked.put(host, counter + 1);
    return new VectorClock(ticked);
  }

  /**
   * Returns the least clock that has seen all changes of both: the greater counter for each host.
   */
  public VectorClock merge(VectorClock other) {
    var merged = new TreeMap<>(counters);
    other.counters.forEach((host, counter) -> merged.merge(host, counter, Math::max));
    return new VectorClock(merged);
  }

  public ClockOrdering compare(VectorClock other) {
    boolean covered = other.covers(this);
    if (covers(other)) {
      return covered ? ClockOrdering.EQUAL : ClockOrdering.AFTER;
    }
    return covered ? ClockOrdering.BEFORE : ClockOrdering.CONCURRENT;
  }

  private boolean covers(VectorClock other) {
    return other.counters.entrySet().stream()
        .allMatch(entry -> counter(entry.getKey()) >= entry.getValue());
  }
}
