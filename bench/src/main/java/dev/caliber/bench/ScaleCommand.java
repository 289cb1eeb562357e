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
final class ScaleCommand implements Callable<Integer> {

  private static final List<Integer> QUICK_SIZES = List.of(1_000, 10_000);

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = "--sizes",
      paramLabel = "N",
      split = ",",
      description =
          "Records in each store, smallest first (default: 10000,100000,1000000; 1000,10000 with"
              + " --quick).")
  private List<Integer> sizes = List.of();

  ScaleCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    MeasurementSettings measurementSettings = options.measurementSettings(environment);
    options.checkTargets();
    List<Integer> chosen = chosenSizes();
    try (BenchLocations benchLocations = options.createLocations(progressPrinter)) {
      String text = chosen.stream().map(String::valueOf).collect(Collectors.joining(","));
      BenchReport benchReport =
          new BenchReport(
              "%s ./caliber bench scale --engine %s --sizes %s"
                  .formatted(measurementSettings.environmentAssignments(), options.engine(), text),
              MachineFacts.gather(benchLocations.root()));
      new ScaleBench(chosen, measurementSettings, benchLocations, progressPrinter)
          .measure(benchReport, options.engine().engines());
      options.publish("scale --engine " + options.engine(), benchReport, command.commandLine());
    }
    return 0;
  }

  private List<Integer> chosenSizes() {
    List<Integer> full = List.of(10_000, 100_000, 1_000_000);
    List<Integer> chosen = sizes.isEmpty() ? options.isQuick() ? QUICK_SIZES : full : sizes;
    boolean rising = chosen.size() > 1 && chosen.getFirst() > 0;
    for (int i = 1; i < chosen.size(); i++) {
      rising &= chosen.get(i) > chosen.get(i - 1);
    }
    if (!rising) {
      throw KernelException.invalidValue(
          "--sizes", "two or more rising numbers", chosen.toString());
    }
    return chosen;
  }
}
