package dev.caliber.bench.harness;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.KernelException;
import java.time.Duration;
import java.util.Map;

/** Number and length of samples, from the environment. */
public record MeasurementSettings(int samples, Duration sampleTime) {

  static final String SAMPLES = "BENCH_SAMPLE_SIZE";
  static final String SAMPLE_TIME = "BENCH_MEAS_TIME";

  private static final MeasurementSettings FULL =
      new MeasurementSettings(10, Duration.ofSeconds(2));
  private static final MeasurementSettings QUICK =
      new MeasurementSettings(3, Duration.ofMillis(200));
  private static final int MOST_SAMPLES = 1_000;
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** Reads the environment, with the defaults of a full or a quick run. */
  static MeasurementSettings from(Map<String, String> environment, boolean quick) {
    MeasurementSettings defaults = quick ? QUICK : FULL;
    String samples = environment.getOrDefault(SAMPLES, Integer.toString(defaults.samples));
    String time = environment.getOrDefault(SAMPLE_TIME, Durations.format(defaults.sampleTime));
    return new MeasurementSettings(parseSamples(samples), parseTime(time));
  }

  private static int parseSamples(String text) {
    if (text.matches("[0-9]{1,6}")) {
      int samples = Integer.parseInt(text);
      if (samples >= 1 && samples <= MOST_SAMPLES) {
        return samples;
      }
    }
    throw KernelException.invalidValue(
        SAMPLES, "a whole number from 1 to %d".formatted(MOST_SAMPLES), text);
  }

  /** Parses a time; a bare number means seconds, as it does in other benches. */
  private static Duration parseTime(String text) {
    String wanted = "a time from 1ms to 10m, such as 2s, 500ms, or 2 for seconds";
    Duration time;
    try {
      time = Durations.parse(text.matches("[0-9]+") ? text + "s" : text);
    } catch (KernelException _) {
      throw KernelException.invalidValue(SAMPLE_TIME, wanted, text);
    }
    if (!time.isPositive() || time.compareTo(LONGEST) > 0) {
      throw KernelException.invalidValue(SAMPLE_TIME, wanted, text);
    }
    return time;
  }

  /** Returns the setting as it would be typed before a command. */
  String environmentAssignments() {
    return "%s=%d %s=%s".formatted(SAMPLES, samples, SAMPLE_TIME, Durations.format(sampleTime));
  }
}
