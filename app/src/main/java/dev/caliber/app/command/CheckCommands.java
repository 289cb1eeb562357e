package dev.caliber.app.command;

import dev.caliber.app.shell.AppException;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandGroup;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.FilterOptions;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.app.shell.RecordIdParser;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.app.shell.RecordTexts;
import dev.caliber.app.shell.StoreUse;
import dev.caliber.app.shell.Terminal;
import dev.caliber.app.shell.TextTable;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.command.RollBackResult;
import dev.caliber.memory.pcp.CleanupCounts;
import dev.caliber.memory.pcp.ContradictionResolution;
import dev.caliber.memory.pcp.Issue;
import dev.caliber.memory.pcp.IssueSeverity;
import dev.caliber.memory.pcp.RecoveryResult;
import dev.caliber.memory.pcp.ValidationReport;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Trajectory;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The commands that find errors in a context, and return to a checkpoint. */
public record CheckCommands(CommandContext commandContext) {
  private static final String SEMANTIC = "--semantic";

  private static final RecordTable<Issue> ISSUES =
      RecordTable.of(Issue.class)
          .column("SEVERITY", issue -> FilterOptions.lowerCaseName(issue.severity()))
          .column("TYPE", issue -> FilterOptions.lowerCaseName(issue.type()))
          .text("MESSAGE", Issue::message)
          .column(
              "RECORDS",
              issue -> issue.records().stream().map(EntityRef::id).collect(Collectors.joining(" ")))
          .whenEmpty("No issues found.");

  private record ValidateOutput(ValidationReport report, List<ContradictionResolution> resolved) {}

  public CommandLine validate() {
    return OperationCommand.named(
            commandContext, "validate", "Find problems in the records that a context is based on.")
        .description(
            "Checks the live artifacts and the notes of a trajectory, or with --window the records"
                + " in that window of it: contradictions, stale or expired records, records with"
                + " low confidence, facts without a source. Exit code 1 if there is an error;"
                + " warnings alone leave it 0.")
        .examples(
            "  caliber validate thread-7",
            "  caliber validate thread-7 --window 01JD0000000000000000000000 --json")
        .trajectory("trajectory")
        .option(
            "--window",
            "WINDOW",
            "window",
            RecordIdParser::parseWindow,
            "Only records in this window of the trajectory.")
        .flag(SEMANTIC, SEMANTIC, "Also compare facts by their meaning, with the embedding model.")
        .flag(
            "--resolve",
            "resolve",
            "Resolve contradictions: keep one of two contradicting records, as pcp.grounding says,"
                + " and end the other.")
        .using(CheckCommands::semanticUse)
        .runs(
            (operations, input) -> {
              ValidateOutput output =
                  input.takeFlag("resolve")
                      ? operations.call("resolve_contradictions", input, ValidateOutput.class)
                      : new ValidateOutput(
                          operations.call("validate_trajectory", input, ValidationReport.class),
                          List.of());
              commandContext.output().printResult(output, () -> print(output));
              return (output.report().valid() ? ExitCode.OK : ExitCode.FAILED);
            });
  }

  private static StoreUse semanticUse(OperationInput input) {
    return input.takeFlag(SEMANTIC) ? StoreUse.WITH_EMBEDDING_MODEL : StoreUse.EXISTING;
  }

  private void print(ValidateOutput output) {
    Terminal terminal = commandContext.terminal();
    ISSUES.print(output.report().issues(), terminal);
    output
        .resolved()
        .forEach(
            one ->
                terminal.printNote(
                    "Kept %s, ended %s.".formatted(one.kept().id(), one.ended().id())));
  }

  public CommandLine lint() {
    return OperationCommand.named(
            commandContext, "lint", "Find artifacts that are too large, duplicated or malformed.")
        .description(
            "Checks every live artifact of a trajectory: its size, duplicates, whether it parses,"
                + " and its words if a vocabulary is enforced (pcp.lint). Exit code 1 if there is"
                + " an error; warnings alone leave it 0.",
            "With --artifact it checks only that artifact, and needs no trajectory.")
        .examples("  caliber lint thread-7", "  caliber lint --artifact 01JD5T6B9M8Z0V3QK7W2X4Y5RA")
        .optionalParameter(
            "TRAJECTORY",
            "trajectory",
            name -> name,
            "The trajectory: its id, or the name of its session.")
        .option("--artifact", "ID", "id", RecordIdParser::parseArtifact, "Only this artifact.")
        .flag(
            SEMANTIC, SEMANTIC, "Find near duplicates by their meaning, with the embedding model.")
        .using(
            input -> {
              if (input.has("trajectory") == input.has("id")) {
                throw AppException.usage(
                    "Expected either a trajectory or --artifact, found both or neither",
                    "'caliber artifacts TRAJECTORY' lists artifacts with their ids.");
              }
              return semanticUse(input);
            })
        .runs(
            (operations, input) -> {
              String named = input.json().path("trajectory").asString("");
              ValidationReport report =
                  input.has("id")
                      ? operations.call("lint_artifact", input, ValidationReport.class)
                      : operations.call(
                          "lint_trajectory",
                          input.with("trajectory", operations.trajectoryId(named)),
                          ValidationReport.class);
              List<Issue> issues = report.issues();
              CommandOutput output = commandContext.output();
              output.printResults(issues, () -> ISSUES.print(issues, output.terminal()));
              return issues.stream().anyMatch(issue -> issue.severity() == IssueSeverity.ERROR)
                  ? ExitCode.FAILED
                  : ExitCode.OK;
            });
  }

  public CommandLine recover() {
    return OperationCommand.named(commandContext, "recover", "Return a trajectory to a checkpoint.")
        .description(
            "Without --yes nothing is changed: the command shows what would be rolled back.",
            "Records after the checkpoint are no longer live, but can still be read. The trajectory"
                + " continues in a new scope with the conversation up to the checkpoint.")
        .examples(
            "  caliber recover thread-7                                          show what would"
                + " change",
            "  caliber recover thread-7 --checkpoint 01JD0000000000000000000000 --yes    roll back")
        .trajectory("trajectory")
        .option(
            "--checkpoint",
            "CHECKPOINT",
            "checkpoint",
            RecordIdParser::parseCheckpoint,
            "The checkpoint's id. Default: the newest checkpoint.")
        .flag("--dry-run", "dry_run", "Show what would be rolled back (default without --yes).")
        .flag("--yes", "yes", "Roll back.")
        .using(
            input -> {
              input.requirePreviewOrYes();
              return StoreUse.EXISTING;
            })
        .runs(
            (operations, input) -> {
              RecoveryResult done = operations.call("recover", input, RecoveryResult.class);
              TextTable table = TextTable.of("TYPE", "ID", "TEXT");
              RecordTexts texts = new RecordTexts(operations);
              done.done().ifPresent(rollBack -> addRows(texts, rollBack, table));
              commandContext.output().printResult(done, () -> print(done, table));
              return done.success() ? ExitCode.OK : ExitCode.NOT_FOUND;
            });
  }

  private static void addRows(RecordTexts texts, RollBackResult rollBack, TextTable table) {
    rollBack.scopes().forEach(id -> table.addRow("scope", id.toString(), ""));
    addRows(texts, rollBack.turns(), "turn", EntityType.TURN, table);
    addRows(texts, rollBack.artifacts(), "artifact", EntityType.ARTIFACT, table);
    addRows(texts, rollBack.restored(), "live again", EntityType.ARTIFACT, table);
  }

  private static void addRows(
      RecordTexts texts, List<Id> ids, String what, EntityType type, TextTable table) {
    ids.forEach(id -> table.addRow(what, id.toString(), texts.of(EntityRef.of(type, id))));
  }

  private void print(RecoveryResult done, TextTable table) {
    Terminal terminal = commandContext.terminal();
    done.reason()
        .ifPresent(
            reason -> terminal.printNote(done.code().map(code -> code + ": ").orElse("") + reason));
    if (!table.isEmpty()) {
      table.print(terminal);
    }
    done.done()
        .ifPresent(
            rollBack ->
                terminal.printNote(
                    rollBack
                        .newScope()
                        .map(
                            scope ->
                                "Returned to %s; the trajectory continues in scope " + scope + ".")
                        .orElse("Would return to %s. Use --yes to do it.")
                        .formatted(Timestamps.format(rollBack.restoredTo()))));
  }

  public CommandLine checkpoints() {
    return CommandGroup.of(
        "checkpoint",
        "Save, list and fork checkpoints of a trajectory.",
        saveCheckpoint(),
        listCheckpoints(),
        forkCheckpoint());
  }

  private CommandLine saveCheckpoint() {
    return OperationCommand.named(
            commandContext,
            "save",
            "Save a checkpoint of a trajectory, with the ledger of its window.")
        .examples("  caliber checkpoint save thread-7")
        .trajectory("trajectory")
        .prints(
            "checkpoint",
            Checkpoint.class,
            made ->
                "Checkpoint %s: %,d turns, commit %,d%s"
                    .formatted(
                        made.id(),
                        made.turns(),
                        made.sequence(),
                        made.ledger().orElse(false) ? "" : "; without a ledger"));
  }

  private CommandLine listCheckpoints() {
    return OperationCommand.named(
            commandContext, "list", "List the checkpoints of a trajectory, newest first.")
        .examples("  caliber checkpoint list thread-7")
        .trajectory("trajectory")
        .lists(
            "list_checkpoints",
            Checkpoint.class,
            RecordTable.of(Checkpoint.class)
                .column("CHECKPOINT", Checkpoint::id)
                .column("CREATED", Checkpoint::createdAt)
                .column("STATUS", Checkpoint::status)
                .column("TURNS", Checkpoint::turns)
                .column("COMMIT", Checkpoint::sequence)
                .column("LEDGER", point -> point.ledger().orElse(false) ? "yes" : "no"));
  }

  private CommandLine forkCheckpoint() {
    OptionSpec goal =
        OptionSpec.builder("--goal")
            .type(String.class)
            .paramLabel("TEXT")
            .required(true)
            .description("The goal of the new trajectory.")
            .build();
    return OperationCommand.named(
            commandContext, "fork", "Start a new trajectory from a checkpoint of another one.")
        .description(
            "The other trajectory is not changed and becomes the parent. No records are copied.")
        .examples("  caliber checkpoint fork 01JD0000000000000000000000 --goal \"Try it by train\"")
        .parameter("CHECKPOINT", "id", RecordIdParser::parseCheckpoint, "The checkpoint's id.")
        .argument(goal, "goal")
        .prints("fork_trajectory", Trajectory.class, fork -> "Trajectory " + fork.id());
  }

  public CommandLine cleanUp() {
    return OperationCommand.named(
            commandContext, "cleanup", "Close abandoned work and remove expired records.")
        .description(
            "Runs now the clean-up that a server runs at intervals (memory.retention.interval), and"
                + " prints the counts: abandoned trajectories and scopes, and expired context"
                + " windows, locks, messages and cached vectors. Only a server deletes vectors:"
                + " this command loads no model, and cannot tell which vectors are in use.")
        .examples("  caliber cleanup --space team-a")
        .shows("run_cleanup", CleanupCounts.class, this::print);
  }

  private void print(CleanupCounts done) {
    TextTable.of("WHAT", "COUNT")
        .addRow("trajectories failed", "%,d".formatted(done.trajectoriesFailed()))
        .addRow("scopes closed", "%,d".formatted(done.scopesClosed()))
        .addRow("context windows deleted", "%,d".formatted(done.contextWindowsDeleted()))
        .addRow("locks released", "%,d".formatted(done.locksReleased()))
        .addRow("messages deleted", "%,d".formatted(done.messagesDeleted()))
        .addRow("cached vectors deleted", "%,d".formatted(done.cacheEntriesDeleted()))
        .print(commandContext.terminal());
  }
}
