package dev.caliber.bench.memory;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.InterleavedMeasurement;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.Measurement;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.RandomSource;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Measurements of Caliber in {@code bench memory}, engine by engine. */
public final class MemoryBench {

  static final int READ = 50;

  private static final int WRITERS = 16;
  private static final double SHARE = 0.7;
  private static final double GROWTH = 2;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final long SEED = 7;
  private static final String TURN = "turns appended";
  private static final String COMMIT = "the store's own commits";

  private final MeasurementSettings measurementSettings;
  private final BenchLocations benchLocations;
  private final ProgressPrinter progressPrinter;

  public MemoryBench(
      MeasurementSettings measurementSettings,
      BenchLocations benchLocations,
      ProgressPrinter progressPrinter) {
    this.measurementSettings = measurementSettings;
    this.benchLocations = benchLocations;
    this.progressPrinter = progressPrinter;
  }

  public void measure(BenchReport benchReport, BenchEngine engine, MemorySize size) {
    try (BenchMemory rig = new BenchMemory(benchLocations.newEngine(engine))) {
      measureAppend(benchReport.section(engine.title(), "one writer"), rig, 1);
      measureAppend(benchReport.section(engine.title(), "16 writers"), rig, WRITERS);
      measureArtifacts(benchReport.section(engine.title(), "artifacts"), rig);
    }
    measureGrowth(benchReport, engine, size);
  }

  /** Measures appending; each writer has a trajectory, and each commit of the store as well. */
  private void measureAppend(
      BenchReport.ReportSection reportSection, BenchMemory rig, int writers) {
    progressPrinter.startPart("%d writers".formatted(writers));
    List<Id> scopes = IntStream.range(0, writers).mapToObj(_ -> rig.newScope()).toList();
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(
                writers == 1 ? InterleavedMeasurement.FINE : InterleavedMeasurement.COARSE)
            .addContender(
                TURN,
                time ->
                    Load.runConcurrently(writers, time, worker -> rig.append(scopes.get(worker))))
            .addContender(
                COMMIT, time -> Load.runConcurrently(writers, time, _ -> rig.commitRawEntry()))
            .run(measurementSettings, progressPrinter);
    for (String name : List.of(TURN, COMMIT)) {
      addRates(reportSection, name, interleavedMeasurement);
    }
    reportSection.add(
        "turns to the store's own commits",
        interleavedMeasurement.medianRateRatio(TURN, COMMIT),
        Figure.FigureUnit.RATIO,
        Figure.FigureTarget.atLeast(SHARE));
  }

  private void measureArtifacts(BenchReport.ReportSection reportSection, BenchMemory rig) {
    progressPrinter.startPart("artifacts");
    Id scope = rig.newScope();
    String known = rig.newText();
    rig.makeArtifact(scope, known);
    String hit = "existing content";
    String miss = "new content";
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE)
            .addContender(hit, time -> Load.runAlone(time, _ -> rig.makeArtifact(scope, known)))
            .addContender(
                miss, time -> Load.runAlone(time, _ -> rig.makeArtifact(scope, rig.newText())))
            .run(measurementSettings, progressPrinter);
    addRates(reportSection, hit, interleavedMeasurement);
    addRates(reportSection, miss, interleavedMeasurement);
  }

  /** Measures a small memory and the whole one alternately, so that disturbances affect both. */
  private void measureGrowth(BenchReport benchReport, BenchEngine engine, MemorySize size) {
    MemorySize first = size.startSize();
    String part =
        "%s, %,d turns in %,d trajectories"
            .formatted(engine.title(), size.turns(), size.trajectories());
    progressPrinter.startPart(part);
    try (BenchMemory start =
            new BenchMemory(benchLocations.newEngine(engine))
                .load(first, progressPrinter)
                .reopened();
        BenchMemory end =
            new BenchMemory(benchLocations.newEngine(engine))
                .load(size, progressPrinter)
                .reopened()) {
      BenchReport.ReportSection reportSection = benchReport.section(part, "growth");
      addSizes(reportSection, end, size);
      RandomSource randomSource = RandomSource.seeded(SEED);
      addComparison(
          reportSection,
          "append",
          time -> runAppends(start, randomSource, time),
          time -> runAppends(end, randomSource, time));
      addComparison(
          reportSection,
          "read of %d turns".formatted(READ),
          time -> runReads(start, randomSource, time),
          time -> runReads(end, randomSource, time));
    }
  }

  private static void addSizes(
      BenchReport.ReportSection reportSection, BenchMemory rig, MemorySize size) {
    rig.diskBytes()
        .ifPresent(
            bytes -> {
              reportSection.add(
                  "bytes of text of a turn", rig.turnBytes(), Figure.FigureUnit.COUNT);
              reportSection.add(
                  "bytes on disk per turn", (double) bytes / size.turns(), Figure.FigureUnit.COUNT);
            });
  }

  private static Measurement runAppends(BenchMemory rig, RandomSource randomSource, Duration time) {
    return Load.runAlone(time, _ -> rig.appendToRandomTrajectory(randomSource));
  }

  private static Measurement runReads(BenchMemory rig, RandomSource randomSource, Duration time) {
    return Load.runAlone(time, _ -> rig.readRandomTrajectory(randomSource, READ));
  }

  /** Work of a contender for a given time. */
  private interface TimedWork extends java.util.function.Function<Duration, Measurement> {}

  private void addComparison(
      BenchReport.ReportSection reportSection, String what, TimedWork start, TimedWork end) {
    progressPrinter.startPart(what);
    String small = what + ", at the start";
    String large = what + ", at the end";
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE)
            .addContender(small, start)
            .addContender(large, end)
            .run(measurementSettings, progressPrinter);
    addRates(reportSection, small, interleavedMeasurement);
    addRates(reportSection, large, interleavedMeasurement);
    reportSection.add(
        what + ", cost at the end to the start",
        interleavedMeasurement.medianRateRatio(small, large),
        Figure.FigureUnit.RATIO,
        Figure.FigureTarget.below(GROWTH));
  }

  static void addRates(
      BenchReport.ReportSection reportSection,
      String name,
      InterleavedMeasurement interleavedMeasurement) {
    Measurement total = interleavedMeasurement.totalOf(name);
    reportSection.add(name, total.perSecond(), Figure.FigureUnit.PER_SECOND);
    reportSection.add(name + ", p50", total.micros(MEDIAN), Figure.FigureUnit.MICROS);
    reportSection.add(name + ", p99", total.micros(HIGH), Figure.FigureUnit.MICROS);
  }
}
