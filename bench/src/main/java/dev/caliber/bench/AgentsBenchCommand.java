package dev.caliber.bench;

import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.EngineOption;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.memory.AgentsBench;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench agents}: measures coordination. */
@Command(
    name = "agents",
    description = {
      "Measures coordination: leases acquired and released, messages sent, taken and acknowledged,"
          + " by 1, 16 and 256 agents at once, and heartbeats of many agents.",
      "",
      "First each agent has its own file and its own inbox. Then all agents request one file and"
          + " queue for it (a waiting agent asks again, and a lease is released at once), and all"
          + " take messages from the one inbox of their type.",
      "",
      "Every operation is one commit, and is compared with the store's own commits of one record,"
          + " measured alternately in the same run.",
      "",
      "For many agents that only send heartbeats, it prints the share of each second of the store's"
          + " write time: three heartbeats of each agent within agents.heartbeats.timeout, and a"
          + " search for silent agents every agents.maintenance.interval.",
      ""
    },
    footer = {
      "",
      "Environment: BENCH_SAMPLE_SIZE and BENCH_MEAS_TIME, as for 'bench store'.",
      "",
      "Examples:",
      "  bench agents --quick --engine sqlite",
      "  bench agents --engine postgres"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class AgentsBenchCommand extends MeasuringCommand {

  private static final int REGISTERED = 10_000;
  private static final int QUICK_REGISTERED = 1000;

  @Mixin private EngineOption engine = new EngineOption();

  @Option(
      names = "--registered",
      paramLabel = "N",
      description = "Agents that send heartbeats (default: 10000; 1000 with --quick).")
  private Optional<Integer> registered = Optional.empty();

  AgentsBenchCommand(Map<String, String> environment) {
    super(environment);
  }

  @Override
  public String partArguments() {
    return engine.argument();
  }

  @Override
  public String checkedArguments() {
    return engine.argument() + " --registered " + count();
  }

  @Override
  public void measure(BenchRun run) {
    AgentsBench bench = new AgentsBench(run.settings(), run.locations(), run.progressPrinter());
    engine.engines().forEach(each -> bench.measure(run.report(), each, count()));
  }

  private int count() {
    return chosenSize("--registered", registered, QUICK_REGISTERED, REGISTERED);
  }
}
