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

/** {@code bench assemble}. */
@Command(
    name = "assemble",
    description = {
      "Measures assembling a window of 8,000 tokens from notes and a trajectory of 1,000 turns, on"
          + " the embedded engine, with the starter's settings. Notes have vectors of a hash, so"
          + " that none is embedded by a model; 'with embedding' embeds each query by the model.",
      "",
      "All notes are written at once, and the index merges its parts for some minutes then: one line is"
          + " measured meanwhile, the others when it is done. Without the embedding at the greatest"
          + " size: p50 under 10 ms, p99 under 50 ms.",
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
      description = "How many notes (default: 1000,10000,100000; 200,1000 with --quick).")
  private List<Integer> notes = List.of();

  AssembleBenchCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    Progress progress = new Progress(command.commandLine().getErr());
    Knobs knobs = options.knobs(environment);
    options.checkTargets();
    List<Integer> sizes = sizes();
    try (Places places = Places.under(java.util.Optional.empty())) {
      Report report = new Report(text(knobs, sizes), MachineFacts.gather(places.root()));
      for (int size : sizes) {
        progress.part("%,d notes".formatted(size));
        new AssembleBench(knobs, places, environment, options.isQuick(), progress)
            .measure(report, size, size == sizes.getLast());
      }
      options.publish("assemble", report, command.commandLine());
    }
    return 0;
  }

  private static String text(Knobs knobs, List<Integer> sizes) {
    return "%s ./caliber bench assemble --notes %s"
        .formatted(
            knobs.assignments(),
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
