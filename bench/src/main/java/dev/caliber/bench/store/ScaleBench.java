package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.InterleavedMeasurement;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.Measurement;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.RandomSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Measures the same reads on stores of several sizes, and their growth. */
public final class ScaleBench {

  private static final double MEDIAN = 0.5;
  private static final double GROWTH = 2;
  private static final long SEED = 7;

  private final List<Integer> sizes;
  private final MeasurementSettings measurementSettings;
  private final BenchLocations benchLocations;
  private final ProgressPrinter progressPrinter;
  private final RandomSource randomSource = RandomSource.seeded(SEED);

  /** Creates the bench; sizes are ordered from the smallest to the largest. */
  public ScaleBench(
      List<Integer> sizes,
      MeasurementSettings measurementSettings,
      BenchLocations benchLocations,
      ProgressPrinter progressPrinter) {
    this.sizes = List.copyOf(sizes);
    this.measurementSettings = measurementSettings;
    this.benchLocations = benchLocations;
    this.progressPrinter = progressPrinter;
  }

  public void measure(BenchReport benchReport, List<BenchEngine> engines) {
    engines.forEach(engine -> measure(benchReport, engine));
  }

  private void measure(BenchReport benchReport, BenchEngine engine) {
    Map<String, BenchStore> rigs = new LinkedHashMap<>();
    try {
      for (int size : sizes) {
        String name = "%,d records".formatted(size);
        progressPrinter.startPart(engine.title() + ", " + name);
        rigs.put(name, BenchStore.load(benchLocations.newEngine(engine), size, progressPrinter));
      }
      String part = engine.title();
      addComparison(
          benchReport.section(part, "point reads by size"),
          rigs,
          benchStore -> benchStore.caliber().read(benchStore.entries().randomKey(randomSource)));
      addComparison(
          benchReport.section(part, "scans of a session by size"),
          rigs,
          benchStore ->
              benchStore
                  .caliber()
                  .readSession(
                      benchStore.entries().randomSession(randomSource), RawStoreComparison.SCAN));
      addComparison(
          benchReport.section(part, "scans of an author by size"),
          rigs,
          benchStore ->
              benchStore
                  .caliber()
                  .readAuthor(
                      benchStore.entries().randomAuthor(randomSource), RawStoreComparison.SCAN));
    } finally {
      rigs.values().forEach(BenchStore::close);
    }
  }

  private void addComparison(
      BenchReport.ReportSection reportSection,
      Map<String, BenchStore> rigs,
      Consumer<BenchStore> operation) {
    progressPrinter.startPart("reads by size");
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.FINE);
    rigs.forEach(
        (name, benchStore) ->
            interleavedMeasurement.addContender(
                name, time -> Load.runAlone(time, _ -> operation.accept(benchStore))));
    interleavedMeasurement.run(measurementSettings, progressPrinter);
    List<String> names = List.copyOf(rigs.keySet());
    for (String name : names) {
      Measurement total = interleavedMeasurement.totalOf(name);
      reportSection.add(name, total.perSecond(), Figure.FigureUnit.PER_SECOND);
      reportSection.add(name + ", p50", total.micros(MEDIAN), Figure.FigureUnit.MICROS);
    }
    reportSection.add(
        "growth from %s to %s".formatted(names.getFirst(), names.getLast()),
        interleavedMeasurement.medianRateRatio(names.getFirst(), names.getLast()),
        Figure.FigureUnit.RATIO,
        Figure.FigureTarget.below(GROWTH));
  }
}
