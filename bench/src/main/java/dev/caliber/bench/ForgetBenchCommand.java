package dev.caliber.bench;

import dev.caliber.bench.harness.BenchEngine;
import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.EngineOption;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.memory.ForgetBench;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench forget}: measures forgetting a subject. */
@Command(
    name = "forget",
    description = {
      "Measures the time to forget a subject, the longest wait of another write meanwhile, the heap"
          + " in use, and how often a forgotten word remains in the store's files.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  bench forget --quick --engine sqlite",
      "  bench forget --engine both --records 100000 --artifacts 100"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ForgetBenchCommand extends MeasuringCommand {

  private static final int RECORDS = 100_000;
  private static final int QUICK_RECORDS = 1000;
  private static final int ARTIFACTS = 100;
  private static final int QUICK_ARTIFACTS = 5;

  @Mixin private EngineOption engine = new EngineOption();

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Turns of the subject (default: 1000 and 100000; 1000 with --quick).")
  private Optional<Integer> records = Optional.empty();

  @Option(
      names = "--artifacts",
      paramLabel = "N",
      description = "Artifacts of 1 MB of the subject (default: 100; 5 with --quick).")
  private Optional<Integer> artifacts = Optional.empty();

  @Override
  public String partArguments() {
    return engine.argument();
  }

  @Override
  public String checkedArguments() {
    return "%s --records %d --artifacts %d".formatted(engine.argument(), most(), large());
  }

  @Override
  public void measure(BenchRun run) {
    for (BenchEngine each : engine.engines()) {
      ForgetBench bench = new ForgetBench(run.locations(), each, run.progressPrinter());
      if (most() > QUICK_RECORDS) {
        bench.measureTurns(run.report(), QUICK_RECORDS);
      }
      bench.measureTurns(run.report(), most());
      bench.measureArtifacts(run.report(), large());
    }
  }

  private int most() {
    return chosenSize("--records", records, QUICK_RECORDS, RECORDS);
  }

  private int large() {
    return chosenSize("--artifacts", artifacts, QUICK_ARTIFACTS, ARTIFACTS);
  }
}
