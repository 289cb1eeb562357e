package dev.caliber.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Things that are measured by turns, so that what else goes on on the machine hits all of them.
 *
 * <p>In each sample every contender gets the same time, in slices; the order is turned round after
 * each slice. The first sample warms up and does not count. A ratio is the median of the samples'
 * ratios, which one disturbed sample cannot move far.
 */
final class Contest {

  /** For one thread, which begins and ends at once. */
  static final int FINE = 10;

  /** For many threads, which take a moment to begin and to end together. */
  static final int COARSE = 1;

  private final int slices;
  private final Map<String, Function<Duration, Measured>> contenders = new LinkedHashMap<>();
  private final Map<String, List<Measured>> samples = new LinkedHashMap<>();

  Contest(int slices) {
    this.slices = slices;
  }

  /** A contender works for the time it is given and says what it did. */
  Contest enter(String name, Function<Duration, Measured> contender) {
    contenders.put(name, contender);
    samples.put(name, new ArrayList<>());
    return this;
  }

  /** Takes the warm-up and so many samples. */
  Contest run(Knobs knobs, Progress progress) {
    Duration slice = knobs.sampleTime().dividedBy(slices);
    List<String> order = new ArrayList<>(contenders.keySet());
    for (int sample = 0; sample <= knobs.samples(); sample++) {
      progress.step(sample, knobs.samples());
      Map<String, List<Measured>> parts = new LinkedHashMap<>();
      for (int i = 0; i < slices; i++) {
        for (String name : order) {
          Measured part = of(contenders, name).apply(slice);
          parts.computeIfAbsent(name, _ -> new ArrayList<>()).add(part);
        }
        Collections.reverse(order);
      }
      if (sample > 0) {
        parts.forEach((name, measured) -> of(samples, name).add(Measured.total(measured)));
      }
    }
    return this;
  }

  Measured total(String name) {
    return Measured.total(of(samples, name));
  }

  /** Median over the samples of one's rate divided by the other's. */
  double ratio(String name, String other) {
    List<Measured> mine = of(samples, name);
    List<Measured> theirs = of(samples, other);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < mine.size(); i++) {
      ratios.add(mine.get(i).perSecond() / theirs.get(i).perSecond());
    }
    Collections.sort(ratios);
    int middle = ratios.size() / 2;
    return ratios.size() % 2 == 1
        ? ratios.get(middle)
        : (ratios.get(middle - 1) + ratios.get(middle)) / 2;
  }

  private static <V> V of(Map<String, V> map, String name) {
    V found = map.get(name);
    if (found == null) {
      throw new IllegalArgumentException("Nobody entered as '%s'".formatted(name));
    }
    return found;
  }
}
