package dev.caliber.bench;

import dev.caliber.kernel.KernelException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench search}: measures search. */
@Command(
    name = "search",
    description = {
      "Measures search on vectors in clusters and words by Zipf's law, through the real store and"
          + " index; no model is used.",
      "",
      "Targets by vector: recall@10 of at least 0.99 against the exact answer, at no less than 0.6"
          + " of raw Lucene's rate for the same recall; a filter that keeps 1 %% takes less than"
          + " twice the time; a hybrid query takes less than 5 ms (p50).",
      ""
    },
    footer = {
      "",
      "Environment: BENCH_SAMPLE_SIZE and BENCH_MEAS_TIME, as for 'bench store'.",
      "",
      "Example:",
      "  bench search --documents 100000 --sizes 10000,100000,1000000"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class SearchCommand implements Callable<Integer> {

  private static final int FULL = 100_000;
  private static final int QUICK = 12_000;
  private static final List<Integer> FULL_SIZES = List.of(10_000, 100_000, 1_000_000);
  private static final List<Integer> QUICK_SIZES = List.of(1_000, 4_000);

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = "--documents",
      paramLabel = "N",
      description = "Documents of the main part (default: 100000; 12000 with --quick).")
  private int documents;

  @Option(
      names = "--sizes",
      paramLabel = "N",
      split = ",",
      description =
          "Documents of each index in the part about growth, smallest first (default:"
              + " 10000,100000,1000000; 1000,4000 with --quick).")
  private List<Integer> sizes = List.of();

  SearchCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    MeasurementSettings measurementSettings = options.measurementSettings(environment);
    options.checkTargets();
    int main = mainSize();
    List<Integer> grown = grownSizes();
    try (BenchLocations benchLocations = options.createLocations(progressPrinter)) {
      BenchReport benchReport =
          new BenchReport(
              text(measurementSettings, main, grown), MachineFacts.gather(benchLocations.root()));
      SearchBench bench = new SearchBench(measurementSettings, benchLocations, progressPrinter);
      bench.measure(benchReport, main);
      bench.measureGrowth(benchReport, grown);
      options.publish("search", benchReport, command.commandLine());
    }
    return 0;
  }

  private static String text(
      MeasurementSettings measurementSettings, int main, List<Integer> grown) {
    return "%s ./caliber bench search --documents %d --sizes %s"
        .formatted(
            measurementSettings.environmentAssignments(),
            main,
            grown.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  private int mainSize() {
    int chosen = documents == 0 ? options.isQuick() ? QUICK : FULL : documents;
    if (chosen < 1) {
      throw KernelException.invalidValue("--documents", "1 or more", Integer.toString(chosen));
    }
    return chosen;
  }

  private List<Integer> grownSizes() {
    List<Integer> chosen = sizes.isEmpty() ? options.isQuick() ? QUICK_SIZES : FULL_SIZES : sizes;
    if (chosen.stream().anyMatch(size -> size < 1)) {
      throw KernelException.invalidValue("--sizes", "numbers of 1 or more", chosen.toString());
    }
    return chosen;
  }
}
