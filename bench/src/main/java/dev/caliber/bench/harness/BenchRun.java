package dev.caliber.bench.harness;

/** One run of a command: what it measures with, where its stores are, and its figures so far. */
public record BenchRun(
    BenchReport report,
    MeasurementSettings settings,
    BenchLocations locations,
    ProgressPrinter progressPrinter) {}
