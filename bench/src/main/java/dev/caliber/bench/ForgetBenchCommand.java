package dev.caliber.bench;

import dev.caliber.kernel.KernelException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class ForgetBenchCommand implements Callable<Integer> {
  private static final int RECORDS = 100_000;
  private static final int QUICK_RECORDS = 1000;
  private static final int ARTIFACTS = 100;
  private static final int QUICK_ARTIFACTS = 5;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RunOptions options = new RunOptions();

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
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    options.checkTargets();
    int most = chosenSize("--records", records, options.isQuick() ? QUICK_RECORDS : RECORDS);
    int large =
        chosenSize("--artifacts", artifacts, options.isQuick() ? QUICK_ARTIFACTS : ARTIFACTS);
    try (BenchLocations benchLocations = options.createLocations(progressPrinter)) {
      BenchReport benchReport =
          new BenchReport(
              "./caliber bench forget --engine %s --records %d --artifacts %d"
                  .formatted(options.engine(), most, large),
              MachineFacts.gather(benchLocations.root()));
      for (BenchEngine engine : options.engine().engines()) {
        ForgetBench bench = new ForgetBench(benchLocations, engine, progressPrinter);
        if (most > QUICK_RECORDS) {
          bench.measureTurns(benchReport, QUICK_RECORDS);
        }
        bench.measureTurns(benchReport, most);
        bench.measureArtifacts(benchReport, large);
      }
      options.publish("forget --engine " + options.engine(), benchReport, command.commandLine());
    }
    return 0;
  }

  private static int chosenSize(String name, Optional<Integer> given, int otherwise) {
    int count = given.orElse(otherwise);
    if (count < 1) {
      throw KernelException.invalidValue(name, "1 or more", Integer.toString(count));
    }
    return count;
  }
}
