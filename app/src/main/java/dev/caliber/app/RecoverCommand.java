package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.command.RollBackResult;
import dev.caliber.memory.pcp.RecoveryResult;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code caliber recover}. */
@Command(
    name = "recover",
    header = "Return a trajectory to a checkpoint.",
    description = {
      "Without --yes nothing is changed: the command shows what would be rolled back.",
      "Records after the checkpoint are no longer live, but can still be read. The trajectory"
          + " continues in a new scope with the conversation up to the checkpoint."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber recover thread-7                                          show what would change",
      "  caliber recover thread-7 --checkpoint 01JD0000000000000000000000 --yes    roll back",
    })
final class RecoverCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--checkpoint",
      paramLabel = "CHECKPOINT",
      description = "The checkpoint's id. Default: the newest checkpoint.")
  private Optional<String> checkpoint = Optional.empty();

  @Option(
      names = "--dry-run",
      description = "Show what would be rolled back (default without --yes).")
  private boolean dryRun;

  @Option(names = "--yes", description = "Roll back.")
  private boolean yes;

  RecoverCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    if (dryRun && yes) {
      throw AppException.conflictingOptions(
          "--dry-run cannot be combined with --yes", "Leave out one of them.");
    }
    OperationInput input =
        OperationInput.of("dry_run", !yes)
            .with("checkpoint", checkpoint.map(RecordIdParser::parseCheckpoint));
    try (StoreOperations operations = commandContext.operations(StoreUse.EXISTING)) {
      RecoveryResult done =
          operations.call(
              "recover",
              input.with("trajectory", trajectory.resolveId(operations)),
              RecoveryResult.class);
      TextTable table = TextTable.of("TYPE", "ID", "TEXT");
      done.done().ifPresent(rollBack -> addRows(new RecordTexts(operations), rollBack, table));
      commandContext.output().printResult(done, () -> print(done, table));
      return (done.success() ? ExitCode.OK : ExitCode.NOT_FOUND).number();
    }
  }

  private static void addRows(RecordTexts texts, RollBackResult rollBack, TextTable table) {
    rollBack.scopes().forEach(id -> table.addRow("scope", id.toString(), ""));
    addRows(texts, rollBack.turns(), "turn", EntityType.TURN, table);
    addRows(texts, rollBack.artifacts(), "artifact", EntityType.ARTIFACT, table);
    addRows(texts, rollBack.restored(), "live again", EntityType.ARTIFACT, table);
  }

  private static void addRows(
      RecordTexts texts, List<Id> ids, String what, EntityType type, TextTable table) {
    ids.forEach(
        id -> table.addRow(what, id.toString(), texts.of(EntityRef.of(type, id.toString()))));
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
}
