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

/** {@code bench store}. */
@Command(
    name = "store",
    description = {
      "Measures the record store against hand-written JDBC on the same tables, in one run.",
      "",
      "One writer, point reads and 50-record scans stand beside a raw loop that does the same"
          + " inserts in the same round trips and decodes the same bodies; 16 writers stand beside"
          + " one and beside the disk's own flushes; a follower waits on the feed. The sides take"
          + " turns, so that other work on the machine hits both. Every commit is flushed.",
      ""
    },
    footer = {
      "",
      "Environment:",
      "  BENCH_SAMPLE_SIZE  samples of each figure (10)",
      "  BENCH_MEAS_TIME    time of each sample, such as 2s or 500ms (2s)",
      "",
      "A figure with a bar is 'met' or 'missed'; the exit code is 0 either way.",
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
          "Records of about 600 bytes in each store before anything is measured (default:"
              + " 1000000; 10000 with --quick).")
  private Optional<Integer> records = Optional.empty();

  @Option(
      names = "--probe",
      description =
          "Instead of all that, only read from the SQLite store in --data, and write nothing.")
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
    Progress progress = new Progress(command.commandLine().getErr());
    Knobs knobs = options.knobs(environment);
    if (probe != data.isPresent()) {
      throw KernelException.invalidValue("--probe", "wanted together with --data, found one alone");
    }
    options.checkTargets();
    Report report = probe ? probe(data.orElseThrow(), knobs, progress) : run(knobs, progress);
    options.publish(
        probe ? "probe" : "store --engine " + options.engine(), report, command.commandLine());
    return 0;
  }

  private Report run(Knobs knobs, Progress progress) {
    int count = records.orElse(options.isQuick() ? QUICK_RECORDS : RECORDS);
    if (count < 1 || count > MOST_RECORDS) {
      throw KernelException.invalidValue(
          "--records", "1 to %d".formatted(MOST_RECORDS), Integer.toString(count));
    }
    try (Places places = options.places(progress)) {
      Report report =
          new Report(
              "%s ./caliber bench store --engine %s --records %d"
                  .formatted(knobs.assignments(), options.engine(), count),
              MachineFacts.gather(places.root()));
      new StoreBench(count, knobs, places, progress).measure(report, options.engine().each());
      return report;
    }
  }

  private static Report probe(Path directory, Knobs knobs, Progress progress) {
    try (StorageProbe storage = StorageProbe.open(directory)) {
      Report report =
          new Report(
              knobs.assignments() + " ./caliber bench store --probe --data DIR",
              MachineFacts.gather(directory));
      storage.measure(report, knobs, progress);
      return report;
    } catch (SQLException e) {
      throw StorageProbe.unreadable(directory, e);
    }
  }
}
