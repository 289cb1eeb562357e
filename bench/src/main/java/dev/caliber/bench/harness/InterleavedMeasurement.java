package dev.caliber.bench.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Measures contenders alternately, so that other work on the machine affects all of them.
 *
 * <p>In each sample every contender gets the same time, in slices; the order is reversed after each
 * slice. The first sample warms up and does not count. A ratio is the median of the samples'
 * ratios, which one disturbed sample cannot move far.
 */
public final class InterleavedMeasurement {

  /** Slices for one thread, which begins and ends at once. */
  public static final int FINE = 10;

  /** Slices for many threads, which take a moment to begin and to end together. */
  public static final int COARSE = 1;

  private final int slices;
  private final Map<String, Function<Duration, Measurement>> contenders = new LinkedHashMap<>();
  private final Map<String, List<Measurement>> samples = new LinkedHashMap<>();

  public InterleavedMeasurement(int slices) {
    this.slices = slices;
  }

  /** Adds a contender, which works for the given time and returns its measurement. */
  public InterleavedMeasurement addContender(
      String name, Function<Duration, Measurement> contender) {
    contenders.put(name, contender);
    samples.put(name, new ArrayList<>());
    return this;
  }

  /** Takes the warm-up and this number of samples. */
  public InterleavedMeasurement run(
      MeasurementSettings measurementSettings, ProgressPrinter progressPrinter) {
    Duration slice = measurementSettings.sampleTime().dividedBy(slices);
    List<String> order = new ArrayList<>(contenders.keySet());
    for (int sample = 0; sample <= measurementSettings.samples(); sample++) {
      progressPrinter.printStep(sample, measurementSettings.samples());
      Map<String, List<Measurement>> parts = new LinkedHashMap<>();
      for (int i = 0; i < slices; i++) {
        for (String name : order) {
          Measurement part = requireEntry(contenders, name).apply(slice);
          parts.computeIfAbsent(name, _ -> new ArrayList<>()).add(part);
        }
        Collections.reverse(order);
      }
      if (sample > 0) {
        parts.forEach(
            (name, measured) -> requireEntry(samples, name).add(Measurement.total(measured)));
      }
    }
    return this;
  }

  public Measurement totalOf(String name) {
    return Measurement.total(requireEntry(samples, name));
  }

  /** Returns the median over the samples of one rate divided by the other. */
  public double medianRateRatio(String name, String other) {
    List<Measurement> mine = requireEntry(samples, name);
    List<Measurement> theirs = requireEntry(samples, other);
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

  private static <V> V requireEntry(Map<String, V> map, String name) {
    V found = map.get(name);
    if (found == null) {
      throw new IllegalArgumentException("No contender '%s'".formatted(name));
    }
    return found;
  }
}
