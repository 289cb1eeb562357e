package dev.caliber.bench;

import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.EngineOption;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.store.ScaleBench;
import dev.caliber.kernel.KernelException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench scale}: measures reads by store size. */
@Command(
    name = "scale",
    description = {
      "Measures the same reads on stores of several sizes, alternately.",
      "",
      "Target: point reads and 50-record scans on the largest store take less than twice the time"
          + " on the smallest.",
      ""
    },
    footer = {
      "",
      "Environment: BENCH_SAMPLE_SIZE and BENCH_MEAS_TIME, as for 'bench store'.",
      "",
      "Example:",
      "  bench scale --engine sqlite --sizes 1000,10000,100000"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ScaleCommand extends MeasuringCommand {

  private static final List<Integer> QUICK_SIZES = List.of(1_000, 10_000);
  private static final List<Integer> FULL_SIZES = List.of(10_000, 100_000, 1_000_000);

  @Mixin private EngineOption engine = new EngineOption();

  @Option(
      names = "--sizes",
      paramLabel = "N",
      split = ",",
      description =
          "Records in each store, smallest first (default: 10000,100000,1000000; 1000,10000 with"
              + " --quick).")
  private List<Integer> sizes = List.of();

  ScaleCommand(Map<String, String> environment) {
    super(environment);
  }

  @Override
  public String partArguments() {
    return engine.argument();
  }

  @Override
  public String checkedArguments() {
    List<Integer> chosen = sizes();
    boolean rising = chosen.size() > 1;
    for (int i = 1; i < chosen.size(); i++) {
      rising &= chosen.get(i) > chosen.get(i - 1);
    }
    if (!rising) {
      throw KernelException.invalidValue(
          "--sizes", "two or more rising numbers", chosen.toString());
    }
    return engine.argument() + " --sizes " + joined(chosen);
  }

  @Override
  public void measure(BenchRun run) {
    new ScaleBench(sizes(), run.settings(), run.locations(), run.progressPrinter())
        .measure(run.report(), engine.engines());
  }

  private List<Integer> sizes() {
    return chosenSizes("--sizes", sizes, QUICK_SIZES, FULL_SIZES);
  }
}
