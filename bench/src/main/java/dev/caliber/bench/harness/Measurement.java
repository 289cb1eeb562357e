package dev.caliber.bench.harness;

import java.util.List;

/** Operations of one kind: their number, their total time, and the time of each. */
public record Measurement(long operations, long nanos, MeasuredSamples latencies) {

  private static final double MICROS = 1e3;
  private static final double MILLIS = 1e6;

  static Measurement total(List<Measurement> parts) {
    return new Measurement(
        parts.stream().mapToLong(Measurement::operations).sum(),
        parts.stream().mapToLong(Measurement::nanos).sum(),
        MeasuredSamples.merged(parts.stream().map(Measurement::latencies).toList()));
  }

  public double perSecond() {
    return nanos == 0 ? 0 : operations / Stopwatch.seconds(nanos);
  }

  public double micros(double share) {
    return latencies.percentile(share) / MICROS;
  }

  public double millis(double share) {
    return latencies.percentile(share) / MILLIS;
  }
}
