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

/** {@code bench assemble}: measures assembling a window. */
@Command(
    name = "assemble",
    description = {
      "Measures assembling a window of 8,000 tokens from notes and a trajectory of 1,000 turns, on"
          + " the embedded engine, with the starter's settings. Notes have hash vectors, so no"
          + " model embeds them; 'with embedding' embeds each query with the model.",
      "",
      "All notes are written at once, and the index then merges its parts for some minutes: one"
          + " line is measured meanwhile, the others afterwards. Target without embedding at the"
          + " greatest size: p50 under 10 ms, p99 under 50 ms.",
      ""
    },
    footer = {
      "",
      "Environment: BENCH_SAMPLE_SIZE and BENCH_MEAS_TIME, as for 'bench store'.",
      "",
      "Example:",
      "  bench assemble --notes 1000,10000,100000"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class AssembleBenchCommand implements Callable<Integer> {
  private static final List<Integer> FULL = List.of(1_000, 10_000, 100_000);
  private static final List<Integer> QUICK = List.of(200, 1_000);

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOptions options = new OutputOptions();

  @Option(
      names = "--notes",
      paramLabel = "N",
      split = ",",
      description = "Numbers of notes (default: 1000,10000,100000; 200,1000 with --quick).")
  private List<Integer> notes = List.of();

  AssembleBenchCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    MeasurementSettings measurementSettings = options.measurementSettings(environment);
    options.checkTargets();
    List<Integer> sizes = sizes();
    try (BenchLocations benchLocations = BenchLocations.createIn(java.util.Optional.empty())) {
      BenchReport benchReport =
          new BenchReport(
              text(measurementSettings, sizes), MachineFacts.gather(benchLocations.root()));
      for (int size : sizes) {
        progressPrinter.startPart("%,d notes".formatted(size));
        new AssembleBench(
                measurementSettings,
                benchLocations,
                environment,
                options.isQuick(),
                progressPrinter)
            .measure(benchReport, size, size == sizes.getLast());
      }
      options.publish("assemble", benchReport, command.commandLine());
    }
    return 0;
  }

  private static String text(MeasurementSettings measurementSettings, List<Integer> sizes) {
    return "%s ./caliber bench assemble --notes %s"
        .formatted(
            measurementSettings.environmentAssignments(),
            sizes.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  private List<Integer> sizes() {
    List<Integer> chosen = notes.isEmpty() ? options.isQuick() ? QUICK : FULL : notes;
    if (chosen.stream().anyMatch(size -> size < 1)) {
      throw KernelException.invalidValue("--notes", "numbers of 1 or more", chosen.toString());
    }
    return chosen;
  }
}
