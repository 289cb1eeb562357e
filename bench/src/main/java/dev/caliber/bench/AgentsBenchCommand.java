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

/** {@code bench agents}. */
@Command(
    name = "agents",
    description = {
      "Measures coordination: leases acquired and released, messages sent, taken and acknowledged,"
          + " by 1, 16 and 256 agents at once, and signs of life of many.",
      "",
      "First each agent has its own file and its own inbox. Then all want one file and queue for it"
          + " (who waits asks again, and a turn ends at once), and all take from the one inbox of"
          + " their type.",
      "",
      "Every operation is one commit, and stands beside the store's own commits of one record,"
          + " taken by turns in the same run.",
      "",
      "Of many agents that only send signs of life it says what that takes of each second of the"
          + " store's time to write: three signs of life of each within agents.heartbeats.grace, and"
          + " a look for the silent every agents.tending.interval.",
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
      description = "Agents that send signs of life (default: 10000; 1000 with --quick).")
  private Optional<Integer> registered = Optional.empty();

  AgentsBenchCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    Progress progress = new Progress(command.commandLine().getErr());
    Knobs knobs = options.knobs(environment);
    options.checkTargets();
    int count = registered.orElse(options.isQuick() ? QUICK_REGISTERED : REGISTERED);
    if (count < 1) {
      throw KernelException.invalidValue("--registered", "1 or more", Integer.toString(count));
    }
    try (Places places = options.places(progress)) {
      Report report =
          new Report(
              "%s ./caliber bench agents --engine %s --registered %d"
                  .formatted(knobs.assignments(), options.engine(), count),
              MachineFacts.gather(places.root()));
      AgentsBench bench = new AgentsBench(knobs, places, progress);
      options.engine().each().forEach(engine -> bench.measure(report, engine, count));
      options.publish("agents --engine " + options.engine(), report, command.commandLine());
    }
    return 0;
  }
}
