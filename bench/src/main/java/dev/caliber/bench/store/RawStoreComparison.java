package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchException;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.EntryGenerator;
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
import java.util.function.Consumer;

/** Compares one writer, point reads and scans of 50 entries with the same work by hand. */
final class RawStoreComparison {

  static final int SCAN = 50;

  private static final double SHARE = 0.8;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final int CHECKS = 20;
  private static final long SEED = 7;
  private static final String OURS = "Caliber";
  private static final String RAW = "raw JDBC";

  private final BenchStore.ComparedStores comparedStores;
  private final MeasurementSettings measurementSettings;
  private final ProgressPrinter progressPrinter;
  private final RandomSource randomSource = RandomSource.seeded(SEED);

  RawStoreComparison(
      BenchStore.ComparedStores comparedStores,
      MeasurementSettings measurementSettings,
      ProgressPrinter progressPrinter) {
    this.comparedStores = comparedStores;
    this.measurementSettings = measurementSettings;
    this.progressPrinter = progressPrinter;
  }

  void measure(BenchReport benchReport, String part) {
    requireEqualSides();
    EntryGenerator entryGenerator = comparedStores.rig().entries();
    compare(
        benchReport.section(part, "one writer"),
        "commits",
        contender -> contender.commit(entryGenerator.newEntry()));
    compare(
        benchReport.section(part, "point reads"),
        "reads",
        contender -> contender.read(entryGenerator.randomKey(randomSource)));
    BenchReport.ReportSection scans =
        benchReport.section(part, "scans of %d entries".formatted(SCAN));
    compare(
        scans,
        "of a session",
        contender -> contender.readSession(entryGenerator.randomSession(randomSource), SCAN));
    compare(
        scans,
        "of an author",
        contender -> contender.readAuthor(entryGenerator.randomAuthor(randomSource), SCAN));
  }

  /** Checks that both sides give the same answers, as a fair comparison requires. */
  private void requireEqualSides() {
    EntryGenerator entryGenerator = comparedStores.rig().entries();
    for (int i = 0; i < CHECKS; i++) {
      Id key = entryGenerator.randomKey(randomSource);
      requireEqual(comparedStores.rig().caliber().read(key), comparedStores.raw().read(key));
      String session = entryGenerator.randomSession(randomSource);
      requireEqual(
          comparedStores.rig().caliber().readSession(session, SCAN),
          comparedStores.raw().readSession(session, SCAN));
      String author = entryGenerator.randomAuthor(randomSource);
      requireEqual(
          comparedStores.rig().caliber().readAuthor(author, SCAN),
          comparedStores.raw().readAuthor(author, SCAN));
    }
  }

  private static void requireEqual(Object ours, Object raw) {
    if (!ours.equals(raw)) {
      throw BenchException.contendersDiffer(ours, raw);
    }
  }

  private void compare(
      BenchReport.ReportSection reportSection, String what, Consumer<Contender> operation) {
    progressPrinter.startPart(what);
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE)
            .addContender(OURS, time -> run(comparedStores.rig().caliber(), operation, time))
            .addContender(RAW, time -> run(comparedStores.raw(), operation, time))
            .run(measurementSettings, progressPrinter);
    for (String name : List.of(OURS, RAW)) {
      Measurement total = interleavedMeasurement.totalOf(name);
      reportSection.add(what + ", " + name, total.perSecond(), Figure.FigureUnit.PER_SECOND);
      reportSection.add(
          what + ", " + name + ", p50", total.micros(MEDIAN), Figure.FigureUnit.MICROS);
      reportSection.add(what + ", " + name + ", p99", total.micros(HIGH), Figure.FigureUnit.MICROS);
    }
    reportSection.add(
        what + ", Caliber to raw, by p50",
        interleavedMeasurement.totalOf(RAW).micros(MEDIAN)
            / interleavedMeasurement.totalOf(OURS).micros(MEDIAN),
        Figure.FigureUnit.RATIO);
    reportSection.add(
        what + ", Caliber to raw",
        interleavedMeasurement.medianRateRatio(OURS, RAW),
        Figure.FigureUnit.RATIO,
        Figure.FigureTarget.atLeast(SHARE));
  }

  private static Measurement run(
      Contender contender, Consumer<Contender> operation, Duration time) {
    return Load.runAlone(time, _ -> operation.accept(contender));
  }
}
