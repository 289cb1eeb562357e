package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.InterleavedMeasurement;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.Measurement;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.SpaceId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures sixteen writers and one: the gain of group commit, and the cost of waiting. */
final class ConcurrentWritersBench {

  private static final int WRITERS = 16;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final String ONE = "1 writer";
  private static final String MANY = "16 writers";
  private static final String SPREAD = "16 writers, 16 spaces";
  private static final String DISK_ONE = "the disk's flushes, 1 thread";
  private static final String DISK_MANY = "the disk's flushes, 16 threads";

  private static final double SQLITE_GAIN = 1.8;
  private static final double SQLITE_SHARE_OF_DISK = 0.25;
  private static final double SQLITE_HIGH_MILLIS = 10;
  private static final double SQLITE_STALL_MILLIS = 300;
  private static final double POSTGRES_GAIN = 2;
  private static final double POSTGRES_SPREAD_GAIN = 3;

  private final BenchStore benchStore;
  private final MeasurementSettings measurementSettings;
  private final ProgressPrinter progressPrinter;

  ConcurrentWritersBench(
      BenchStore benchStore,
      MeasurementSettings measurementSettings,
      ProgressPrinter progressPrinter) {
    this.benchStore = benchStore;
    this.measurementSettings = measurementSettings;
    this.progressPrinter = progressPrinter;
  }

  void measureSqlite(BenchReport benchReport, String part, Path directory) {
    progressPrinter.startPart(MANY);
    try (DiskFlushLoad disk = new DiskFlushLoad(directory, WRITERS)) {
      InterleavedMeasurement interleavedMeasurement =
          new InterleavedMeasurement(InterleavedMeasurement.COARSE)
              .addContender(ONE, time -> runCommits(1, time))
              .addContender(MANY, time -> runCommits(WRITERS, time))
              .addContender(DISK_ONE, time -> Load.runConcurrently(1, time, disk))
              .addContender(DISK_MANY, time -> Load.runConcurrently(WRITERS, time, disk))
              .run(measurementSettings, progressPrinter);
      BenchReport.ReportSection reportSection = benchReport.section(part, MANY);
      addRates(reportSection, interleavedMeasurement, List.of(ONE, MANY, DISK_ONE, DISK_MANY));
      reportSection.add(
          "16 writers to 1 writer",
          interleavedMeasurement.medianRateRatio(MANY, ONE),
          Figure.FigureUnit.RATIO,
          Figure.FigureTarget.atLeast(SQLITE_GAIN));
      reportSection.add(
          "16 writers to the disk's flushes with 16 threads",
          interleavedMeasurement.medianRateRatio(MANY, DISK_MANY),
          Figure.FigureUnit.RATIO,
          Figure.FigureTarget.atLeast(SQLITE_SHARE_OF_DISK));
      Measurement many = interleavedMeasurement.totalOf(MANY);
      reportSection.add("16 writers, p50", many.millis(MEDIAN), Figure.FigureUnit.MILLIS);
      reportSection.add(
          "16 writers, p99",
          many.millis(HIGH),
          Figure.FigureUnit.MILLIS,
          Figure.FigureTarget.below(SQLITE_HIGH_MILLIS));
      reportSection.add(
          "16 writers, longest commit",
          many.millis(1),
          Figure.FigureUnit.MILLIS,
          Figure.FigureTarget.below(SQLITE_STALL_MILLIS));
    }
  }

  void measurePostgres(BenchReport benchReport, String part) {
    progressPrinter.startPart(MANY);
    List<CaliberContender> spaces = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      spaces.add(benchStore.inSpace(new SpaceId("bench-" + i)));
    }
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.COARSE)
            .addContender(ONE, time -> runCommits(1, time))
            .addContender(MANY, time -> runCommits(WRITERS, time))
            .addContender(
                SPREAD,
                time ->
                    Load.runConcurrently(
                        WRITERS,
                        time,
                        worker -> spaces.get(worker).commit(benchStore.entries().newEntry())))
            .run(measurementSettings, progressPrinter);
    BenchReport.ReportSection reportSection = benchReport.section(part, MANY);
    addRates(reportSection, interleavedMeasurement, List.of(ONE, MANY, SPREAD));
    reportSection.add(
        "16 writers to 1 writer",
        interleavedMeasurement.medianRateRatio(MANY, ONE),
        Figure.FigureUnit.RATIO,
        Figure.FigureTarget.atLeast(POSTGRES_GAIN));
    reportSection.add(
        "16 writers in 16 spaces to 1 writer",
        interleavedMeasurement.medianRateRatio(SPREAD, ONE),
        Figure.FigureUnit.RATIO,
        Figure.FigureTarget.atLeast(POSTGRES_SPREAD_GAIN));
    for (String name : List.of(MANY, SPREAD)) {
      Measurement many = interleavedMeasurement.totalOf(name);
      reportSection.add(name + ", p50", many.millis(MEDIAN), Figure.FigureUnit.MILLIS);
      reportSection.add(name + ", p99", many.millis(HIGH), Figure.FigureUnit.MILLIS);
      reportSection.add(name + ", longest commit", many.millis(1), Figure.FigureUnit.MILLIS);
    }
  }

  private Measurement runCommits(int writers, Duration time) {
    return Load.runConcurrently(
        writers, time, _ -> benchStore.caliber().commit(benchStore.entries().newEntry()));
  }

  private static void addRates(
      BenchReport.ReportSection reportSection,
      InterleavedMeasurement interleavedMeasurement,
      List<String> names) {
    names.forEach(
        name ->
            reportSection.add(
                name,
                interleavedMeasurement.totalOf(name).perSecond(),
                Figure.FigureUnit.PER_SECOND));
  }
}
