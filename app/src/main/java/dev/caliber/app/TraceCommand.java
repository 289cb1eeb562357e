package dev.caliber.app;

import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.pcp.TrajectoryTrace;
import dev.caliber.memory.record.TraceEvent;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber trace}. */
@Command(
    name = "trace",
    header = "List the events of a trajectory, newest first.",
    description =
        "Events are written in the commit in which they happen, and kept for"
            + " memory.retention.traces. They name records and quote none.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber trace thread-7",
      "  caliber trace thread-7 --type context_assembled --limit 20 --json",
    })
final class TraceCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--type",
      paramLabel = "NAME",
      description =
          "Only events of this type; run 'trace' without it to see the types. An unknown type"
              + " matches nothing.")
  private Optional<String> type = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of events. Default: memory.views.trace-limit.")
  private Optional<Integer> limit = Optional.empty();

  TraceCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    int most = limit.orElseGet(() -> commandContext.configs().runtime().memory().traceLimit());
    TrajectoryTrace trajectoryTrace =
        commandContext.askServerOrStore(
            serverClient -> askServer(serverClient, most), () -> readStore(most));
    commandContext.output().printResult(trajectoryTrace, () -> print(trajectoryTrace));
    return ExitCode.OK.number();
  }

  /** Asks the server, which returns at most one page. */
  private TrajectoryTrace askServer(ServerClient serverClient, int most) {
    int page = Math.min(most, commandContext.configs().server().limits().pageSize());
    return serverClient.get(
        "/trajectories/%s/trace?limit=%d%s"
            .formatted(
                trajectory.resolveId(serverClient),
                page,
                type.map(name -> "&type=" + CaliberClient.encodePathSegment(name)).orElse("")),
        TrajectoryTrace.class);
  }

  private TrajectoryTrace readStore(int most) {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      return context
          .guardian()
          .trajectoryTrace(space, trajectory.resolveId(context, space), type, most);
    }
  }

  private void print(TrajectoryTrace trajectoryTrace) {
    TextTable table = TextTable.of("TIME", "EVENT", "MS", "DETAIL", "RECORD");
    trajectoryTrace.events().forEach(event -> addRow(table, event));
    if (trajectoryTrace.events().isEmpty()) {
      commandContext.terminal().printNote(emptyMessage());
    } else {
      commandContext.output().printTable(table);
    }
    TrajectoryTrace.TraceSummary all = trajectoryTrace.summary();
    commandContext
        .terminal()
        .printNote(
            "%s: %,d scopes, %,d artifacts, %,d notes, %,d windows, %,d checkpoints, %,d recoveries"
                .formatted(
                    all.complete() ? "In total" : "Of the newest %,d".formatted(all.events()),
                    all.scopesCreated(),
                    all.artifactsCreated(),
                    all.notesCreated(),
                    all.contextAssemblies(),
                    all.checkpointsCreated(),
                    all.recoveriesPerformed()));
  }

  private String emptyMessage() {
    return type.map(
            "No event of type '%s'. Run the command without --type to list all types."::formatted)
        .orElse("No events are kept (memory.retention.traces).");
  }

  private static void addRow(TextTable table, TraceEvent event) {
    table.addRow(
        Timestamps.format(event.time()),
        event.type(),
        event.durationMs().map(CommandOutput::formatNumber).orElse(""),
        event.detail().orElse(""),
        event.record().type().lowerCaseName() + " " + event.record().id());
  }
}
