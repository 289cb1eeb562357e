package dev.caliber.bench;

import java.util.List;

/** Operations of one kind: how many in which time, and how long each took. */
record Measured(long operations, long nanos, Samples latencies) {

  private static final double MICROS = 1e3;
  private static final double MILLIS = 1e6;

  static Measured total(List<Measured> parts) {
    return new Measured(
        parts.stream().mapToLong(Measured::operations).sum(),
        parts.stream().mapToLong(Measured::nanos).sum(),
        Samples.merged(parts.stream().map(Measured::latencies).toList()));
  }

  double perSecond() {
    return nanos == 0 ? 0 : operations / Stopwatch.seconds(nanos);
  }

  double micros(double share) {
    return latencies.percentile(share) / MICROS;
  }

  double millis(double share) {
    return latencies.percentile(share) / MILLIS;
  }
}
