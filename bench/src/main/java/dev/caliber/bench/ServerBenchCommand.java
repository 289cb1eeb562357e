package dev.caliber.bench;

import dev.caliber.kernel.Durations;
import dev.caliber.kernel.KernelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench server}. */
@Command(
    name = "server",
    description = {
      "Measures the server on this machine's own address: how soon it listens, how many requests per second it answers"
          + " within 50 ms (99 of 100), how soon event streams hear of a commit, what HTTP adds to a"
          + " call, whether memory stays flat, and what a second process on one PostgreSQL brings.",
      "",
      "Load is open-loop: requests begin at their time whether earlier ones are answered or not,"
          + " and their latency counts from that time. Client and server share this machine. Vectors"
          + " come from hashes, so that no model is measured.",
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
final class ServerBenchCommand implements Callable<Integer> {
  private static final ServerBench.Scale FULL =
      new ServerBench.Scale(Duration.ofSeconds(10), Duration.ofMinutes(10), 10_000, 1000, 50, 10);
  private static final ServerBench.Scale QUICK =
      new ServerBench.Scale(Duration.ofMillis(500), Duration.ofSeconds(5), 200, 50, 5, 1);

  /** What is measured, in this order. */
  enum Part {
    START,
    RATES,
    STREAMS,
    OVERHEAD,
    SOAK,
    PROCESSES;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    void measure(ServerBench bench, Report report) {
      switch (this) {
        case START -> bench.start(report);
        case RATES -> bench.rates(report);
        case STREAMS -> bench.subscribers(report);
        case OVERHEAD -> bench.overhead(report);
        case SOAK -> bench.soak(report);
        case PROCESSES -> bench.processes(report);
      }
    }
  }

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where the stores are made and removed again.")
  private Optional<Path> work = Optional.empty();

  @Option(
      names = "--soak",
      paramLabel = "DURATION",
      description = "How long the soak lasts (default: 10m; 5s with --quick).")
  private Optional<String> soak = Optional.empty();

  @Option(
      names = "--subscribers",
      paramLabel = "N",
      description = "Event streams at a time (default: 1000; 50 with --quick).")
  private Optional<Integer> subscribers = Optional.empty();

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description =
          "Only these, separated by commas: start, rates, streams, overhead, soak, processes.")
  private List<Part> only = List.of(Part.values());

  @Option(names = "--no-postgres", description = "Leave out what needs a PostgreSQL.")
  private boolean noPostgres;

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    Progress progress = new Progress(command.commandLine().getErr());
    output.checkTargets();
    ServerBench.Scale scale = scale();
    try (Places places = Places.under(work)) {
      Report report =
          new Report(
              "./caliber bench server --soak %s --subscribers %d%s"
                  .formatted(
                      Durations.format(scale.soak()),
                      scale.subscribers(),
                      parts() + (output.isQuick() ? " --quick" : "")),
              MachineFacts.gather(places.root()));
      ServerBench bench = new ServerBench(places, progress, scale);
      for (Part part : only) {
        if (part != Part.PROCESSES || !noPostgres) {
          part.measure(bench, report);
        }
      }
      output.publish("server", report, command.commandLine());
    }
    return 0;
  }

  private String parts() {
    return only.size() == Part.values().length
        ? ""
        : " --only " + only.stream().map(Part::word).collect(Collectors.joining(","));
  }

  private ServerBench.Scale scale() {
    ServerBench.Scale base = output.isQuick() ? QUICK : FULL;
    int listening = subscribers.orElse(base.subscribers());
    if (listening < 1) {
      throw KernelException.invalidValue("--subscribers", "1 or more", Integer.toString(listening));
    }
    return new ServerBench.Scale(
        base.step(),
        soak.map(Durations::parse).orElse(base.soak()),
        base.records(),
        listening,
        base.events(),
        base.starts());
  }
}
