package dev.caliber.bench.store;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.store.RecordStore;
import java.util.List;

/** Measurements of {@code bench store}, engine by engine. */
public final class StoreBench {

  private final int records;
  private final MeasurementSettings measurementSettings;
  private final BenchLocations benchLocations;
  private final ProgressPrinter progressPrinter;

  public StoreBench(
      int records,
      MeasurementSettings measurementSettings,
      BenchLocations benchLocations,
      ProgressPrinter progressPrinter) {
    this.records = records;
    this.measurementSettings = measurementSettings;
    this.benchLocations = benchLocations;
    this.progressPrinter = progressPrinter;
  }

  public void measure(BenchReport benchReport, List<BenchEngine> engines) {
    engines.forEach(engine -> measure(benchReport, engine));
  }

  private void measure(BenchReport benchReport, BenchEngine engine) {
    String part = "%s, %,d records".formatted(engine.title(), records);
    progressPrinter.startPart(part);
    try (BenchStore.ComparedStores comparedStores =
        BenchStore.loadPair(
            benchLocations.newEngine(engine),
            benchLocations.newEngine(engine),
            records,
            progressPrinter)) {
      new RawStoreComparison(comparedStores, measurementSettings, progressPrinter)
          .measure(benchReport, part);
      ConcurrentWritersBench writers =
          new ConcurrentWritersBench(comparedStores.rig(), measurementSettings, progressPrinter);
      if (engine == BenchEngine.SQLITE) {
        writers.measureSqlite(benchReport, part, benchLocations.directory("flush"));
      } else {
        writers.measurePostgres(benchReport, part);
      }
      measureFeed(benchReport.section(part, "feed delivery"), comparedStores.rig(), engine);
    }
  }

  private void measureFeed(
      BenchReport.ReportSection reportSection, BenchStore benchStore, BenchEngine engine) {
    progressPrinter.startPart("feed delivery");
    FeedDeliveryBench delivery = new FeedDeliveryBench(benchStore, measurementSettings);
    delivery.measure(reportSection, "in the writer's process", benchStore.store());
    if (engine == BenchEngine.POSTGRES) {
      try (RecordStore other = benchStore.openSecond()) {
        delivery.measure(reportSection, "through another store", other);
      }
    }
  }
}
