package dev.caliber.bench;

import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.EngineOption;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.memory.MemoryBench;
import dev.caliber.bench.memory.MemoryPeerBench;
import dev.caliber.bench.memory.MemorySize;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class MemoryCommand extends MeasuringCommand {

  private static final MemorySize FULL = new MemorySize(1_000_000, 10_000);
  private static final MemorySize QUICK = new MemorySize(10_000, 100);

  private final Map<String, String> environment;

  @Mixin private EngineOption engine = new EngineOption();

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
    super(environment);
    this.environment = environment;
  }

  @Override
  public String partArguments() {
    return engine.argument();
  }

  @Override
  public String checkedArguments() {
    return "%s --turns %d --trajectories %d"
        .formatted(engine.argument(), size().turns(), size().trajectories());
  }

  @Override
  public void measure(BenchRun run) {
    MemoryBench bench = new MemoryBench(run.settings(), run.locations(), run.progressPrinter());
    engine.engines().forEach(each -> bench.measure(run.report(), each, size()));
    new MemoryPeerBench(run.settings(), run.locations(), run.progressPrinter())
        .measure(run.report(), environment);
  }

  private MemorySize size() {
    return new MemorySize(
        chosenSize("--turns", turns, QUICK.turns(), FULL.turns()),
        chosenSize("--trajectories", trajectories, QUICK.trajectories(), FULL.trajectories()));
  }
}
