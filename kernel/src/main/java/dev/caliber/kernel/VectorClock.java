package dev.caliber.kernel;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a host has seen of every host's changes, as one counter for each. Clocks are partly ordered:
 * one is before another when no counter is greater and one is less. A counter of 0 is the same as
 * none and is left out, so that equal clocks are equal records.
 */
public record VectorClock(SortedMap<String, Long> counters) {
  /** How one clock stands to another. */
  public enum Ordering {
    BEFORE,
    AFTER,
    EQUAL,
    /** Each has seen something that the other has not. */
    CONCURRENT
  }

  /** The clock that has seen nothing. */
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

  /** The counter of the host, 0 for one that was never seen. */
  public long counter(String host) {
    return counters.getOrDefault(host, 0L);
  }

  /** This clock after one more change of the host. */
  public VectorClock tick(String host) {
    long counter = counter(host);
    if (counter == Long.MAX_VALUE) {
      throw KernelException.invalidValue(
          "vector clock", "a counter that can grow", Long.toString(counter));
    }
    var ticked = new TreeMap<>(counters);
    ticked.put(host, counter + 1);
    return new VectorClock(ticked);
  }

  /** The least clock that has seen all that either has: the greater counter for each host. */
  public VectorClock merge(VectorClock other) {
    var merged = new TreeMap<>(counters);
    other.counters.forEach((host, counter) -> merged.merge(host, counter, Math::max));
    return new VectorClock(merged);
  }

  public Ordering compare(VectorClock other) {
    boolean covered = other.covers(this);
    if (covers(other)) {
      return covered ? Ordering.EQUAL : Ordering.AFTER;
    }
    return covered ? Ordering.BEFORE : Ordering.CONCURRENT;
  }

  private boolean covers(VectorClock other) {
    return other.counters.entrySet().stream()
        .allMatch(entry -> counter(entry.getKey()) >= entry.getValue());
  }
}
