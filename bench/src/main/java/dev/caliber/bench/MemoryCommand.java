package dev.caliber.bench;

import dev.caliber.kernel.KernelException;
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

/** {@code bench memory}. */
@Command(
    name = "memory",
    description = {
      "Measures memory: turns appended, artifacts made and found again, and what growth costs.",
      "",
      "Turns by one and by 16 writers stand beside the store's own commits of one record, taken by"
          + " turns in the same run: a turn is at no less than 0.7 of them. A small store and one"
          + " with all turns are measured by turns as well: at the end, appending and reading take"
          + " less than twice what they take at the start.",
      "",
      "Beside it: LangChain4j's chat memory in memory, and the MCP reference memory server when npm"
          + " is there to fetch it.",
      ""
    },
    footer = {
      "",
      "Environment: BENCH_SAMPLE_SIZE and BENCH_MEAS_TIME, as for 'bench store'.",
      "",
      "Examples:",
      "  bench memory --quick --engine sqlite",
      "  bench memory --engine sqlite --turns 1000000 --trajectories 10000"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class MemoryCommand implements Callable<Integer> {

  private static final int TURNS = 1_000_000;
  private static final int QUICK_TURNS = 10_000;
  private static final int TRAJECTORIES = 10_000;
  private static final int QUICK_TRAJECTORIES = 100;

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = "--turns",
      paramLabel = "N",
      description = "Turns at the end (default: 1000000; 10000 with --quick).")
  private Optional<Integer> turns = Optional.empty();

  @Option(
      names = "--trajectories",
      paramLabel = "N",
      description = "Trajectories that have them (default: 10000; 100 with --quick).")
  private Optional<Integer> trajectories = Optional.empty();

  MemoryCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    Progress progress = new Progress(command.commandLine().getErr());
    Knobs knobs = options.knobs(environment);
    options.checkTargets();
    MemorySize size =
        new MemorySize(
            chosen("--turns", turns, QUICK_TURNS, TURNS),
            chosen("--trajectories", trajectories, QUICK_TRAJECTORIES, TRAJECTORIES));
    try (Places places = options.places(progress)) {
      Report report =
          new Report(
              "%s ./caliber bench memory --engine %s --turns %d --trajectories %d"
                  .formatted(
                      knobs.assignments(), options.engine(), size.turns(), size.trajectories()),
              MachineFacts.gather(places.root()));
      MemoryBench bench = new MemoryBench(knobs, places, progress);
      options.engine().each().forEach(engine -> bench.measure(report, engine, size));
      new MemoryPeers(knobs, places, progress).measure(report, environment);
      options.publish("memory --engine " + options.engine(), report, command.commandLine());
    }
    return 0;
  }

  private int chosen(String name, Optional<Integer> given, int quick, int full) {
    int count = given.orElse(options.isQuick() ? quick : full);
    if (count < 1) {
      throw KernelException.invalidValue(name, "1 or more", Integer.toString(count));
    }
    return count;
  }
}
