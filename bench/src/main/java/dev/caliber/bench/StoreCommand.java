package dev.caliber.bench;

import dev.caliber.kernel.KernelException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench store}: measures the record store. */
@Command(
    name = "store",
    description = {
      "Measures the record store against hand-written JDBC on the same tables, in one run.",
      "",
      "One writer, point reads and 50-record scans are compared with a raw loop that does the same"
          + " inserts in the same round trips and decodes the same bodies; 16 writers are compared"
          + " with one and with the disk's own flushes; a follower waits on the feed. The sides are"
          + " measured alternately, so that other work on the machine affects both. Every commit is"
          + " flushed.",
      ""
    },
    footer = {
      "",
      "Environment:",
      "  BENCH_SAMPLE_SIZE  samples of each figure (10)",
      "  BENCH_MEAS_TIME    time of each sample, such as 2s or 500ms (2s)",
      "",
      "A figure with a target is 'met' or 'missed'; the exit code is 0 either way.",
      "",
      "Examples:",
      "  bench store --quick",
      "  bench store --engine sqlite --records 100000",
      "  bench store --probe --data caliber-data"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class StoreCommand implements Callable<Integer> {

  private static final int RECORDS = 1_000_000;
  private static final int QUICK_RECORDS = 10_000;
  private static final int MOST_RECORDS = 50_000_000;

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = "--records",
      paramLabel = "N",
      description =
          "Records of about 600 bytes in each store before the measurement (default: 1000000; 10000"
              + " with --quick).")
  private Optional<Integer> records = Optional.empty();

  @Option(
      names = "--probe",
      description = "Only read from the SQLite store in --data, and write nothing.")
  private boolean probe;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The directory of the store to probe. It may be in use.")
  private Optional<Path> data = Optional.empty();

  StoreCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    MeasurementSettings measurementSettings = options.measurementSettings(environment);
    if (probe != data.isPresent()) {
      throw KernelException.invalidValue("--probe", "--probe and --data must be given together");
    }
    options.checkTargets();
    BenchReport benchReport =
        probe
            ? probe(data.orElseThrow(), measurementSettings, progressPrinter)
            : run(measurementSettings, progressPrinter);
    options.publish(
        probe ? "probe" : "store --engine " + options.engine(), benchReport, command.commandLine());
    return 0;
  }

  private BenchReport run(
      MeasurementSettings measurementSettings, ProgressPrinter progressPrinter) {
    int count = records.orElse(options.isQuick() ? QUICK_RECORDS : RECORDS);
    if (count < 1 || count > MOST_RECORDS) {
      throw KernelException.invalidValue(
          "--records", "1 to %d".formatted(MOST_RECORDS), Integer.toString(count));
    }
    try (BenchLocations benchLocations = options.createLocations(progressPrinter)) {
      BenchReport benchReport =
          new BenchReport(
              "%s ./caliber bench store --engine %s --records %d"
                  .formatted(measurementSettings.environmentAssignments(), options.engine(), count),
              MachineFacts.gather(benchLocations.root()));
      new StoreBench(count, measurementSettings, benchLocations, progressPrinter)
          .measure(benchReport, options.engine().engines());
      return benchReport;
    }
  }

  private static BenchReport probe(
      Path directory, MeasurementSettings measurementSettings, ProgressPrinter progressPrinter) {
    try (StorageProbe storage = StorageProbe.open(directory)) {
      BenchReport benchReport =
          new BenchReport(
              measurementSettings.environmentAssignments()
                  + " ./caliber bench store --probe --data DIR",
              MachineFacts.gather(directory));
      storage.measure(benchReport, measurementSettings, progressPrinter);
      return benchReport;
    } catch (SQLException e) {
      throw StorageProbe.unreadable(directory, e);
    }
  }
}
