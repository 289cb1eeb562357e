package dev.caliber.app;

import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.pcp.Story;
import dev.caliber.memory.record.TraceEvent;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber trace}. */
@Command(
    name = "trace",
    header = "What happened to a trajectory, newest first.",
    description =
        "Events as they were written in the commits in which they happened, for as long as"
            + " memory.retention.traces keeps them. They name records and quote none.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber trace thread-7",
      "  caliber trace thread-7 --type context_assembled --limit 20 --json",
    })
final class TraceCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--type",
      paramLabel = "NAME",
      description =
          "Only events of this type, as a trace without it names them. There is no closed list:"
              + " of a type that nothing here has, nothing is shown.")
  private Optional<String> type = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The most events. Without it: memory.views.trace-limit.")
  private Optional<Integer> limit = Optional.empty();

  TraceCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    int most = limit.orElseGet(() -> workbench.rooms().runtime().memory().traceLimit());
    Story story = workbench.ask(remote -> ask(remote, most), () -> read(most));
    workbench.output().result(story, () -> print(story));
    return ExitCode.OK.number();
  }

  /** A server gives no more than a page at a time. */
  private Story ask(Remote remote, int most) {
    int page = Math.min(most, workbench.rooms().server().limits().page());
    return remote.get(
        "/trajectories/%s/story?limit=%d%s"
            .formatted(
                trajectory.of(remote),
                page,
                type.map(name -> "&type=" + CaliberClient.encoded(name)).orElse("")),
        Story.class);
  }

  private Story read(int most) {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return context.guardian().story(space, trajectory.of(context, space), type, most);
    }
  }

  private void print(Story story) {
    TextTable table = TextTable.of("TIME", "EVENT", "MS", "DETAIL", "RECORD");
    story.events().forEach(event -> row(table, event));
    if (story.events().isEmpty()) {
      workbench.terminal().note(nothing());
    } else {
      workbench.output().table(table);
    }
    Story.Summary all = story.summary();
    workbench
        .terminal()
        .note(
            "%s: %,d scopes, %,d artifacts, %,d notes, %,d windows, %,d checkpoints, %,d recoveries"
                .formatted(
                    all.complete() ? "In all" : "Of the newest %,d".formatted(all.events()),
                    all.scopesCreated(),
                    all.artifactsCreated(),
                    all.notesCreated(),
                    all.contextAssemblies(),
                    all.checkpointsCreated(),
                    all.recoveriesPerformed()));
  }

  private String nothing() {
    return type.map(
            "No event of the type '%s' happened to it. Without --type, the types are in EVENT."
                ::formatted)
        .orElse("Nothing of it is kept (memory.retention.traces).");
  }

  private static void row(TextTable table, TraceEvent event) {
    table.row(
        Timestamps.format(event.time()),
        event.type(),
        event.durationMs().map(Output::number).orElse(""),
        event.detail().orElse(""),
        event.record().type().word() + " " + event.record().id());
  }
}
