package dev.caliber.bench.memory;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchLocations;
import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.Figure;
import dev.caliber.bench.harness.InterleavedMeasurement;
import dev.caliber.bench.harness.Load;
import dev.caliber.bench.harness.MeasurementSettings;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.Durations;
import java.time.Duration;
import java.util.List;

/** Measurements of {@code bench agents}, engine by engine. */
public final class AgentsBench {

  private static final List<Integer> CROWDS = List.of(1, 16, 256);
  private static final double THOUSANDTH = 1e-3;
  private static final double MEDIAN = 0.5;

  /** Heartbeats within the grace period: two may get lost. */
  private static final int BEATS_IN_GRACE = 3;

  private static final String LEASES = "leases acquired or released";
  private static final String MAIL = "messages sent, taken or acknowledged";
  private static final String QUEUE = "requests for one resource, granted, queued or released";
  private static final String TURNS = "leases granted on that resource";
  private static final String TYPE_MAIL = "messages to a type sent, taken or acknowledged";
  private static final String COMMITS = "the store's own commits";

  private final MeasurementSettings measurementSettings;
  private final BenchLocations benchLocations;
  private final ProgressPrinter progressPrinter;

  public AgentsBench(
      MeasurementSettings measurementSettings,
      BenchLocations benchLocations,
      ProgressPrinter progressPrinter) {
    this.measurementSettings = measurementSettings;
    this.benchLocations = benchLocations;
    this.progressPrinter = progressPrinter;
  }

  public void measure(BenchReport benchReport, BenchEngine engine, int registered) {
    for (int crowd : CROWDS) {
      progressPrinter.startPart("%s, %d agents".formatted(engine.title(), crowd));
      try (BenchAgents rig =
          new BenchAgents(benchLocations.newEngine(engine), crowd, progressPrinter).withMembers()) {
        String name = crowd == 1 ? "one agent" : crowd + " agents";
        measureWork(benchReport.section(engine.title(), name), rig, crowd);
      }
    }
    progressPrinter.startPart("%s, %,d registered agents".formatted(engine.title(), registered));
    try (BenchAgents rig =
        new BenchAgents(benchLocations.newEngine(engine), registered, progressPrinter)) {
      measureHeartbeats(
          benchReport.section(engine.title(), "%,d registered agents".formatted(registered)),
          rig,
          registered);
    }
  }

  /**
   * Measures agents with a file and an inbox each, and then agents that share one file and one
   * inbox; every operation is one commit.
   */
  private void measureWork(BenchReport.ReportSection reportSection, BenchAgents rig, int crowd) {
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(
                crowd == 1 ? InterleavedMeasurement.FINE : InterleavedMeasurement.COARSE)
            .addContender(LEASES, time -> Load.runConcurrently(crowd, time, rig::toggleLease))
            .addContender(MAIL, time -> Load.runConcurrently(crowd, time, rig::stepOwnMail))
            .addContender(QUEUE, time -> Load.runConcurrently(crowd, time, rig::toggleQueuedLease))
            .addContender(TYPE_MAIL, time -> Load.runConcurrently(crowd, time, rig::stepTypeMail))
            .addContender(
                COMMITS, time -> Load.runConcurrently(crowd, time, _ -> rig.commitRawEntry()))
            .run(measurementSettings, progressPrinter);
    for (String name : List.of(LEASES, MAIL, QUEUE, TYPE_MAIL, COMMITS)) {
      MemoryBench.addRates(reportSection, name, interleavedMeasurement);
    }
    reportSection.add(
        "leases to the store's own commits",
        interleavedMeasurement.medianRateRatio(LEASES, COMMITS),
        Figure.FigureUnit.RATIO);
    reportSection.add(
        "messages to the store's own commits",
        interleavedMeasurement.medianRateRatio(MAIL, COMMITS),
        Figure.FigureUnit.RATIO);
    reportSection.add(
        "requests for one resource to the store's own commits",
        interleavedMeasurement.medianRateRatio(QUEUE, COMMITS),
        Figure.FigureUnit.RATIO);
    reportSection.add(
        "messages to a type to the store's own commits",
        interleavedMeasurement.medianRateRatio(TYPE_MAIL, COMMITS),
        Figure.FigureUnit.RATIO);
    reportSection.add(
        TURNS,
        interleavedMeasurement.totalOf(QUEUE).perSecond() * rig.grantedShare(),
        Figure.FigureUnit.PER_SECOND);
  }

  private void measureHeartbeats(
      BenchReport.ReportSection reportSection, BenchAgents rig, int registered) {
    String beat = "a heartbeat of every agent";
    String look = "a search for silent agents";
    InterleavedMeasurement interleavedMeasurement =
        new InterleavedMeasurement(InterleavedMeasurement.COARSE)
            .addContender(beat, time -> Load.runAlone(time, _ -> rig.recordHeartbeats()))
            .addContender(look, time -> Load.runAlone(time, _ -> rig.runMaintenance()))
            .run(measurementSettings, progressPrinter);
    double millis = interleavedMeasurement.totalOf(beat).micros(MEDIAN) * THOUSANDTH;
    reportSection.add(beat + ", p50", millis, Figure.FigureUnit.MILLIS);
    reportSection.add(
        "heartbeats", registered / (millis * THOUSANDTH), Figure.FigureUnit.PER_SECOND);
    double looking = interleavedMeasurement.totalOf(look).micros(MEDIAN);
    reportSection.add(look + ", p50", looking, Figure.FigureUnit.MICROS);
    Duration every = rig.config().heartbeats().timeout().dividedBy(BEATS_IN_GRACE);
    Duration again = rig.config().maintenance().interval();
    reportSection.add(
        "store's write time per second, with a heartbeat every %s and a search every %s"
            .formatted(Durations.format(every), Durations.format(again)),
        millisPerSecond(millis, every) + millisPerSecond(looking * THOUSANDTH, again),
        Figure.FigureUnit.MILLIS);
  }

  /** Returns the time per second that a periodic operation takes. */
  private static double millisPerSecond(double millis, Duration every) {
    return millis / (every.toMillis() * THOUSANDTH);
  }
}
