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
final class AgentsBenchCommand implements Callable<Integer> {

  private static final int REGISTERED = 10_000;
  private static final int QUICK_REGISTERED = 1000;

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = "--registered",
      paramLabel = "N",
      description = "Agents that send heartbeats (default: 10000; 1000 with --quick).")
  private Optional<Integer> registered = Optional.empty();

  AgentsBenchCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    ProgressPrinter progressPrinter = new ProgressPrinter(command.commandLine().getErr());
    MeasurementSettings measurementSettings = options.measurementSettings(environment);
    options.checkTargets();
    int count = registered.orElse(options.isQuick() ? QUICK_REGISTERED : REGISTERED);
    if (count < 1) {
      throw KernelException.invalidValue("--registered", "1 or more", Integer.toString(count));
    }
    try (BenchLocations benchLocations = options.createLocations(progressPrinter)) {
      BenchReport benchReport =
          new BenchReport(
              "%s ./caliber bench agents --engine %s --registered %d"
                  .formatted(measurementSettings.environmentAssignments(), options.engine(), count),
              MachineFacts.gather(benchLocations.root()));
      AgentsBench bench = new AgentsBench(measurementSettings, benchLocations, progressPrinter);
      options.engine().engines().forEach(engine -> bench.measure(benchReport, engine, count));
      options.publish("agents --engine " + options.engine(), benchReport, command.commandLine());
    }
    return 0;
  }
}
