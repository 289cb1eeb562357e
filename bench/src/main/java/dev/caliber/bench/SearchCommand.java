package dev.caliber.bench;

import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.search.SearchBench;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class SearchCommand extends MeasuringCommand {

  private static final int FULL = 100_000;
  private static final int QUICK = 12_000;
  private static final List<Integer> FULL_SIZES = List.of(10_000, 100_000, 1_000_000);
  private static final List<Integer> QUICK_SIZES = List.of(1_000, 4_000);

  @Option(
      names = "--documents",
      paramLabel = "N",
      description = "Documents of the main part (default: 100000; 12000 with --quick).")
  private Optional<Integer> documents = Optional.empty();

  @Option(
      names = "--sizes",
      paramLabel = "N",
      split = ",",
      description =
          "Documents of each index in the part about growth, smallest first (default:"
              + " 10000,100000,1000000; 1000,4000 with --quick).")
  private List<Integer> sizes = List.of();

  SearchCommand(Map<String, String> environment) {
    super(environment);
  }

  @Override
  public String checkedArguments() {
    return " --documents %d --sizes %s".formatted(mainSize(), joined(grownSizes()));
  }

  @Override
  public void measure(BenchRun run) {
    SearchBench bench = new SearchBench(run.settings(), run.locations(), run.progressPrinter());
    bench.measure(run.report(), mainSize());
    bench.measureGrowth(run.report(), grownSizes());
  }

  private int mainSize() {
    return chosenSize("--documents", documents, QUICK, FULL);
  }

  private List<Integer> grownSizes() {
    return chosenSizes("--sizes", sizes, QUICK_SIZES, FULL_SIZES);
  }
}
