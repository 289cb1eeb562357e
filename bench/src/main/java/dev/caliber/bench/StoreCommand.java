package dev.caliber.bench;

import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.EngineOption;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.store.StorageProbe;
import dev.caliber.bench.store.StoreBench;
import dev.caliber.kernel.KernelException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class StoreCommand extends MeasuringCommand {

  private static final int RECORDS = 1_000_000;
  private static final int QUICK_RECORDS = 10_000;
  private static final int MOST_RECORDS = 50_000_000;

  @Mixin private EngineOption engine = new EngineOption();

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
    super(environment);
  }

  @Override
  public String partArguments() {
    return probe ? " --probe" : engine.argument();
  }

  @Override
  public String checkedArguments() {
    if (probe != data.isPresent()) {
      throw KernelException.invalidValue("--probe", "--probe and --data must be given together");
    }
    return probe ? " --probe --data DIR" : engine.argument() + " --records " + count();
  }

  @Override
  public void measure(BenchRun run) {
    if (probe) {
      probe(data.orElseThrow(), run);
    } else {
      new StoreBench(count(), run.settings(), run.locations(), run.progressPrinter())
          .measure(run.report(), engine.engines());
    }
  }

  private int count() {
    int count = chosenSize("--records", records, QUICK_RECORDS, RECORDS);
    if (count > MOST_RECORDS) {
      throw KernelException.invalidValue(
          "--records", "1 to %d".formatted(MOST_RECORDS), Integer.toString(count));
    }
    return count;
  }

  private static void probe(Path directory, BenchRun run) {
    try (StorageProbe storage = StorageProbe.open(directory)) {
      storage.measure(run.report(), run.settings(), run.progressPrinter());
    } catch (SQLException e) {
      throw StorageProbe.unreadable(directory, e);
    }
  }
}
