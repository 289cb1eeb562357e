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

/** {@code bench memory}: measures memory. */
@Command(
    name = "memory",
    description = {
      "Measures memory: turns appended, artifacts created and found again, and the cost of growth.",
      "",
      "Turns by one and by 16 writers are compared with the store's own commits of one record,"
          + " measured alternately in the same run: the target is at least 0.7 of their rate. A"
          + " small store and one with all turns are measured alternately as well: at the end,"
          + " appending and reading take less than twice the time at the start.",
      "",
      "For comparison: LangChain4j's chat memory in memory, and the MCP reference memory server if"
          + " npm can fetch it.",
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
      description = "Trajectories that contain them (default: 10000; 100 with --quick).")
  private Optional<Integer> trajectories = Optional.empty();

  MemoryCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    MeasurementSettings measurementSettings = options.measurementSettings(environment);
    options.checkTargets();
    MemorySize size =
        new MemorySize(
            chosenSize("--turns", turns, QUICK_TURNS, TURNS),
            chosenSize("--trajectories", trajectories, QUICK_TRAJECTORIES, TRAJECTORIES));
    try (BenchLocations benchLocations = options.createLocations(progressPrinter)) {
      BenchReport benchReport =
          new BenchReport(
              "%s ./caliber bench memory --engine %s --turns %d --trajectories %d"
                  .formatted(
                      measurementSettings.environmentAssignments(),
                      options.engine(),
                      size.turns(),
                      size.trajectories()),
              MachineFacts.gather(benchLocations.root()));
      MemoryBench bench = new MemoryBench(measurementSettings, benchLocations, progressPrinter);
      options.engine().engines().forEach(engine -> bench.measure(benchReport, engine, size));
      new MemoryPeerBench(measurementSettings, benchLocations, progressPrinter)
          .measure(benchReport, environment);
      options.publish("memory --engine " + options.engine(), benchReport, command.commandLine());
    }
    return 0;
  }

  private int chosenSize(String name, Optional<Integer> given, int quick, int full) {
    int count = given.orElse(options.isQuick() ? quick : full);
    if (count < 1) {
      throw KernelException.invalidValue(name, "1 or more", Integer.toString(count));
    }
    return count;
  }
}
