package dev.caliber.bench;

import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.memory.AssembleBench;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class AssembleBenchCommand extends MeasuringCommand {

  private static final List<Integer> FULL = List.of(1_000, 10_000, 100_000);
  private static final List<Integer> QUICK = List.of(200, 1_000);

  private final Map<String, String> environment;

  @Option(
      names = "--notes",
      paramLabel = "N",
      split = ",",
      description = "Numbers of notes (default: 1000,10000,100000; 200,1000 with --quick).")
  private List<Integer> notes = List.of();

  AssembleBenchCommand(Map<String, String> environment) {
    super(environment);
    this.environment = environment;
  }

  @Override
  public String checkedArguments() {
    return " --notes " + joined(sizes());
  }

  @Override
  public void measure(BenchRun run) {
    for (int size : sizes()) {
      run.progressPrinter().startPart("%,d notes".formatted(size));
      new AssembleBench(
              run.settings(), run.locations(), environment, isQuick(), run.progressPrinter())
          .measure(run.report(), size, size == sizes().getLast());
    }
  }

  private List<Integer> sizes() {
    return chosenSizes("--notes", notes, QUICK, FULL);
  }
}
