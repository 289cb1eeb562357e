package dev.caliber.bench;

import dev.caliber.bench.harness.BenchReport;
import dev.caliber.bench.harness.BenchRun;
import dev.caliber.bench.harness.MeasuringCommand;
import dev.caliber.bench.server.ServerBench;
import dev.caliber.kernel.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench server}: measures the server. */
@Command(
    name = "server",
    description = {
      "Measures the server on this machine's own address: the time until it listens, the requests"
          + " per second that it answers within 50 ms (99 of 100), the delay until event streams"
          + " receive a commit, what HTTP adds to a call, whether memory stays flat, and the gain"
          + " of a second process on one PostgreSQL.",
      "",
      "Load is open-loop: requests begin at their time whether earlier ones are answered or not,"
          + " and their latency counts from that time. Client and server share this machine."
          + " Vectors come from hashes, so that no model is measured.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  bench server --quick",
      "  bench server --soak 10m --subscribers 1000",
      "  bench server --only start,streams"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ServerBenchCommand extends MeasuringCommand {
  private static final ServerBench.ServerBenchScale FULL =
      new ServerBench.ServerBenchScale(
          Duration.ofSeconds(10), Duration.ofMinutes(10), 10_000, 1000, 50, 10);
  private static final ServerBench.ServerBenchScale QUICK =
      new ServerBench.ServerBenchScale(
          Duration.ofMillis(500), Duration.ofSeconds(5), 200, 50, 5, 1);

  /** Parts of the measurement, in this order. */
  enum ServerBenchPart {
    START,
    RATES,
    STREAMS,
    OVERHEAD,
    SOAK,
    PROCESSES;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    void measure(ServerBench bench, BenchReport benchReport) {
      switch (this) {
        case START -> bench.measureStart(benchReport);
        case RATES -> bench.measureRates(benchReport);
        case STREAMS -> bench.measureSubscribers(benchReport);
        case OVERHEAD -> bench.measureOverhead(benchReport);
        case SOAK -> bench.measureSoak(benchReport);
        case PROCESSES -> bench.measureTwoProcesses(benchReport);
      }
    }
  }

  @Option(
      names = "--soak",
      paramLabel = "DURATION",
      description = "Duration of the soak (default: 10m; 5s with --quick).")
  private Optional<String> soak = Optional.empty();

  @Option(
      names = "--subscribers",
      paramLabel = "N",
      description = "Concurrent event streams (default: 1000; 50 with --quick).")
  private Optional<Integer> subscribers = Optional.empty();

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description =
          "Only these, separated by commas: start, rates, streams, overhead, soak, processes.")
  private List<ServerBenchPart> only = List.of(ServerBenchPart.values());

  @Option(names = "--no-postgres", description = "Leave out the parts that need a PostgreSQL.")
  private boolean noPostgres;

  @Override
  public String checkedArguments() {
    return " --soak %s --subscribers %d%s%s"
        .formatted(
            Durations.format(scale().soak()),
            scale().subscribers(),
            parts(),
            isQuick() ? " --quick" : "");
  }

  @Override
  public void measure(BenchRun run) {
    ServerBench bench = new ServerBench(run.locations(), run.progressPrinter(), scale());
    for (ServerBenchPart part : only) {
      if (part != ServerBenchPart.PROCESSES || !noPostgres) {
        part.measure(bench, run.report());
      }
    }
  }

  private String parts() {
    return only.size() == ServerBenchPart.values().length
        ? ""
        : " --only " + only.stream().map(ServerBenchPart::word).collect(Collectors.joining(","));
  }

  private ServerBench.ServerBenchScale scale() {
    ServerBench.ServerBenchScale base = isQuick() ? QUICK : FULL;
    int listening =
        chosenSize("--subscribers", subscribers, base.subscribers(), base.subscribers());
    return new ServerBench.ServerBenchScale(
        base.step(),
        soak.map(Durations::parse).orElse(base.soak()),
        base.records(),
        listening,
        base.events(),
        base.starts());
  }
}
