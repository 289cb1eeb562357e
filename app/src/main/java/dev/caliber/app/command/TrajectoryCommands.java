package dev.caliber.app.command;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.FilterOptions;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.RecordIdParser;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.app.shell.Terminal;
import dev.caliber.app.shell.TextTable;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.pcp.ArtifactLineage;
import dev.caliber.memory.pcp.TrajectoryOverview;
import dev.caliber.memory.pcp.TrajectoryTrace;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Provenance;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** The commands that list what a trajectory has, and show its state, its trace and origins. */
public record TrajectoryCommands(CommandContext commandContext) {

  /** Turns that are hidden by default. */
  private enum HiddenTurnKind {
    ROLLED_BACK
  }

  public CommandLine listTurns() {
    return OperationCommand.named(
            commandContext, "turns", "List the turns of a trajectory, oldest first.")
        .description(
            "With --include rolled_back it also lists turns that a return to a checkpoint has"
                + " rolled back.")
        .examples(
            "  caliber turns thread-7", "  caliber turns thread-7 --include rolled_back --json")
        .trajectory("trajectory")
        .option(
            "--include",
            "KIND",
            "include",
            HiddenTurnKind.class,
            kind -> List.of(FilterOptions.lowerCaseName(kind)),
            "Also list turns that are not live: rolled_back.")
        .lists(
            "list_turns",
            Turn.class,
            RecordTable.of(Turn.class)
                .column("TURN", Turn::id)
                .column("TIME", Turn::createdAt)
                .column("ROLE", turn -> FilterOptions.lowerCaseName(turn.role()))
                .text("TEXT", Turn::searchableText)
                .column("ROLLED BACK", Turn::rolledBackAt));
  }

  public CommandLine listArtifacts() {
    RecordTable<Artifact> table =
        RecordTable.of(Artifact.class)
            .column("ARTIFACT", Artifact::id)
            .column("CREATED", Artifact::createdAt)
            .column("TYPE", made -> FilterOptions.lowerCaseName(made.type()))
            .column("STATE", this::state)
            .text("TEXT", made -> made.content().text().orElse(""))
            .whenEmpty("The trajectory has no such artifacts.");
    return OperationCommand.named(
            commandContext, "artifacts", "List the artifacts of a trajectory, oldest first.")
        .description(
            "Shows the id, type and status of each artifact. A superseded or expired artifact is"
                + " not live. The table cuts long texts; --json prints them whole.")
        .examples("  caliber artifacts thread-7", "  caliber artifacts thread-7 --live --json")
        .trajectory("trajectory")
        .flag("--live", "live", "Only live artifacts: neither superseded nor expired.")
        .lists("list_artifacts", Artifact.class, table);
  }

  private String state(Artifact made) {
    if (made.isLive(commandContext.environment().clock().instant())) {
      return "live";
    }
    return made.supersededBy().map(id -> "superseded by " + id).orElse("expired");
  }

  /** The data that distinguishes windows; {@code explain} shows the ledger. */
  private record WindowOutput(
      Id id,
      Instant assembledAt,
      int usedTokens,
      int maxTokens,
      Optional<Instant> expiresAt,
      Optional<Instant> asOf,
      Optional<String> query) {
    static WindowOutput of(Window window) {
      return new WindowOutput(
          window.id(),
          window.assembledAt(),
          window.usedTokens(),
          window.maxTokens(),
          window.expiresAt(),
          window.inputs().asOf(),
          window.inputs().query());
    }
  }

  public CommandLine listWindows() {
    return OperationCommand.named(
            commandContext, "windows", "List the stored windows of a trajectory, newest first.")
        .description(
            "Shows the id, the creation time, the used budget and the expiry of each. 'caliber"
                + " explain' shows one of them, 'caliber annotate' checks an answer against it.")
        .examples("  caliber windows thread-7", "  caliber windows thread-7 --limit 1 --json")
        .trajectory("trajectory")
        .option(
            "--limit",
            "N",
            "limit",
            Integer.class,
            this::checkedWindowLimit,
            "The maximum number of windows, at most memory.limits.page-size. Default:"
                + " memory.limits.page-size.")
        .runs(
            (operations, input) -> {
              int most = input.json().path("limit").asInt(windowLimit());
              int page = Math.min(most, commandContext.configs().server().limits().pageSize());
              print(
                  operations
                      .list("list_windows", input.with("limit", page), Window.class, most)
                      .stream()
                      .map(WindowOutput::of)
                      .toList(),
                  most);
              return ExitCode.OK;
            });
  }

  private int windowLimit() {
    return commandContext.configs().memory().limits().pageSize();
  }

  private int checkedWindowLimit(int wanted) {
    if (wanted < 1 || wanted > windowLimit()) {
      throw AppException.usage(
          "--limit: expected 1 to %d (memory.limits.page-size), found %d"
              .formatted(windowLimit(), wanted),
          "Windows are listed newest first.");
    }
    return wanted;
  }

  private void print(List<WindowOutput> windows, int most) {
    Terminal terminal = commandContext.terminal();
    RecordTable<WindowOutput> table =
        RecordTable.of(WindowOutput.class)
            .column("WINDOW", WindowOutput::id)
            .column("CREATED", WindowOutput::assembledAt)
            .column("TOKENS", one -> "%,d of %,d".formatted(one.usedTokens(), one.maxTokens()))
            .column("EXPIRES", one -> one.expiresAt().map(Timestamps::format).orElse("for good"))
            .text("QUERY", one -> one.query().orElse(""))
            .whenEmpty("No window of this trajectory is stored.");
    commandContext.output().printResults(windows, () -> table.print(windows, terminal));
    if (!commandContext.output().json() && windows.size() == most) {
      terminal.printNote("The newest %,d; there may be older ones.".formatted(most));
    }
  }

  public CommandLine showState() {
    return OperationCommand.named(
            commandContext,
            "state",
            "Show the state of a trajectory: its goal, its scopes and its counts.")
        .description(
            "For debugging. 'caliber turns' and 'caliber artifacts' show its content, 'caliber"
                + " trace' its events.")
        .examples("  caliber state thread-7", "  caliber state thread-7 --json")
        .trajectory("trajectory")
        .shows("get_trajectory_state", TrajectoryOverview.class, this::print);
  }

  private void print(TrajectoryOverview state) {
    Terminal terminal = commandContext.terminal();
    Trajectory task = state.trajectory();
    terminal.printLine(
        "Trajectory %s: %s since %s, last changed %s"
            .formatted(
                task.id(),
                FilterOptions.lowerCaseName(task.status()),
                Timestamps.format(task.createdAt()),
                Timestamps.format(task.updatedAt())));
    terminal.printLine("Goal: " + TextTable.toCell(task.goal()));
    terminal.printLine(
        "Contains: %,d turns, %,d artifacts, %,d notes, %,d checkpoints"
            .formatted(
                task.counters().turns(),
                state.artifactCount(),
                state.noteCount(),
                state.checkpointCount()));
    Optional<Id> active = state.activeScope().map(Scope::id);
    RecordTable.of(Scope.class)
        .column("SCOPE", Scope::id)
        .column("NUMBER", Scope::sequence)
        .column("OPENED", Scope::openedAt)
        .column(
            "STATE",
            scope -> active.filter(scope.id()::equals).map(_ -> "active").orElse(endedText(scope)))
        .print(state.scopes(), terminal);
  }

  private static String endedText(Scope scope) {
    return scope
        .rolledBackAt()
        .map(_ -> "rolled back")
        .or(() -> scope.closedAt().map(end -> "closed " + Timestamps.format(end)))
        .orElse("open");
  }

  public CommandLine showLineage() {
    return OperationCommand.named(
            commandContext, "lineage", "Show the origin of an artifact, and what superseded it.")
        .description(
            "Shows how it was found and from which records, what it supersedes and what superseded"
                + " it, directly or not. 'caliber artifacts' lists the artifacts of a trajectory,"
                + " 'caliber history' shows the versions of a note.")
        .examples("  caliber lineage 01JD5T6B9M8Z0V3QK7W2X4Y5RA")
        .parameter("ARTIFACT", "id", RecordIdParser::parseArtifact, "The id of the artifact.")
        .shows("get_artifact_lineage", ArtifactLineage.class, this::print);
  }

  private void print(ArtifactLineage lineage) {
    Provenance provenance = lineage.provenance();
    List.of(
            "Artifact %s of trajectory %s, scope %s"
                .formatted(lineage.artifact().id(), lineage.trajectory(), lineage.scope()),
            "Found: %s%s"
                .formatted(
                    FilterOptions.lowerCaseName(provenance.method()),
                    provenance.sourceTurn().map(" in turn %d"::formatted).orElse("")),
            "Made from: " + joinIds(provenance.sources()),
            "Supersedes: " + joinIds(lineage.predecessors()),
            "Superseded by: " + joinIds(lineage.successors()))
        .forEach(commandContext.terminal()::printLine);
  }

  private static String joinIds(List<Id> ids) {
    return ids.isEmpty()
        ? "nothing"
        : ids.stream().map(Id::toString).collect(Collectors.joining(", "));
  }

  public CommandLine showTrace() {
    return OperationCommand.named(
            commandContext, "trace", "List the events of a trajectory, newest first.")
        .description(
            "Events are written in the commit in which they happen, and kept for"
                + " memory.retention.traces. They name records and quote none.")
        .examples(
            "  caliber trace thread-7",
            "  caliber trace thread-7 --type context_assembled --limit 20 --json")
        .trajectory("trajectory")
        .option(
            "--type",
            "NAME",
            "type",
            "Only events of this type; run 'trace' without it to see the types. An unknown type"
                + " matches nothing.")
        .option(
            "--limit",
            "N",
            "limit",
            Integer.class,
            "The maximum number of events. Default: memory.views.trace-limit.")
        .runs(
            (operations, input) -> {
              int most =
                  input
                      .json()
                      .path("limit")
                      .asInt(commandContext.configs().runtime().memory().traceLimit());
              int page = Math.min(most, commandContext.configs().server().limits().pageSize());
              TrajectoryTrace trace =
                  operations.call(
                      "get_trajectory_trace", input.with("limit", page), TrajectoryTrace.class);
              String type = input.json().path("type").asString("");
              commandContext.output().printResult(trace, () -> print(trace, type));
              return ExitCode.OK;
            });
  }

  private void print(TrajectoryTrace trace, String type) {
    Terminal terminal = commandContext.terminal();
    RecordTable.of(TraceEvent.class)
        .column("TIME", TraceEvent::time)
        .column("EVENT", TraceEvent::type)
        .column("MS", TraceEvent::durationMs)
        .column("DETAIL", TraceEvent::detail)
        .column(
            "RECORD", event -> event.record().type().lowerCaseName() + " " + event.record().id())
        .whenEmpty(
            type.isEmpty()
                ? "No events are kept (memory.retention.traces)."
                : "No event of type '%s'. Run the command without --type to list all types."
                    .formatted(type))
        .print(trace.events(), terminal);
    TrajectoryTrace.TraceSummary all = trace.summary();
    terminal.printNote(
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
}
