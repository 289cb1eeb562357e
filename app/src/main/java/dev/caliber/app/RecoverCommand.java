package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.RollBackResult;
import dev.caliber.memory.pcp.RecoveryRequest;
import dev.caliber.memory.pcp.RecoveryResult;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Turn;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

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
    RecoverOutput recoverOutput = commandContext.askServerOrStore(this::askServer, this::recover);
    commandContext
        .output()
        .printResult(
            recoverOutput.recovery(), () -> print(recoverOutput.recovery(), recoverOutput.table()));
    return (recoverOutput.recovery().success() ? ExitCode.OK : ExitCode.NOT_FOUND).number();
  }

  /** The recovery, and a table of its records with their texts. */
  private record RecoverOutput(RecoveryResult recovery, TextTable table) {}

  private RecoverOutput askServer(ServerClient serverClient) {
    String path = "/trajectories/" + trajectory.resolveId(serverClient);
    ObjectNode input = ServerClient.newInput().put("dry_run", !yes);
    ServerClient.putIfPresent(
        input, "checkpoint", checkpoint.map(OpenMemoryServices::parseCheckpointId));
    RecoveryResult done = serverClient.post(path + "/recover", input, RecoveryResult.class);
    TextTable table = TextTable.of("TYPE", "ID", "TEXT");
    done.done()
        .ifPresent(rollBack -> addRows(new ServerRecordLookup(serverClient), rollBack, table));
    return new RecoverOutput(done, table);
  }

  private RecoverOutput recover() {
    SpaceId space = commandContext.space();
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      RecoveryRequest request =
          checkpoint
              .map(id -> RecoveryRequest.toCheckpoint(OpenMemoryServices.parseCheckpointId(id)))
              .orElseGet(() -> RecoveryRequest.toLatest(trajectory.resolveId(context, space)));
      RecoveryResult preview = context.guardian().recover(space, request.withDryRun());
      requireCheckpointOf(trajectory.resolveId(context, space), preview);
      RecoveryResult done = yes ? context.guardian().recover(space, request) : preview;
      TextTable table = TextTable.of("TYPE", "ID", "TEXT");
      done.done()
          .ifPresent(
              rollBack ->
                  context
                      .memory()
                      .view(space, view -> addRows(new StoreRecordLookup(view), rollBack, table)));
      return new RecoverOutput(done, table);
    }
  }

  /** Reads the texts of turns and artifacts. */
  private interface RecordLookup {
    Turn turn(Id id);

    Artifact artifact(Id id);
  }

  private record StoreRecordLookup(MemoryView view) implements RecordLookup {
    @Override
    public Turn turn(Id id) {
      return view.turn(id);
    }

    @Override
    public Artifact artifact(Id id) {
      return view.artifact(id);
    }
  }

  private record ServerRecordLookup(ServerClient remote) implements RecordLookup {
    @Override
    public Turn turn(Id id) {
      return remote.get("/turns/" + id, Turn.class);
    }

    @Override
    public Artifact artifact(Id id) {
      return remote.get("/artifacts/" + id, Artifact.class);
    }
  }

  private static void requireCheckpointOf(Id trajectory, RecoveryResult preview) {
    preview
        .done()
        .filter(rollBack -> !rollBack.trajectory().equals(trajectory))
        .ifPresent(
            rollBack -> {
              throw AppException.usage(
                  "The checkpoint belongs to trajectory " + rollBack.trajectory(),
                  "'caliber checkpoint list' shows the checkpoints of a trajectory.");
            });
  }

  private static boolean addRows(RecordLookup view, RollBackResult rollBack, TextTable table) {
    rollBack.scopes().forEach(id -> table.addRow("scope", id.toString(), ""));
    rollBack
        .turns()
        .forEach(
            id ->
                table.addRow(
                    "turn", id.toString(), TextTable.toCell(view.turn(id).searchableText())));
    rollBack
        .artifacts()
        .forEach(id -> table.addRow("artifact", id.toString(), artifactText(view, id)));
    rollBack
        .restored()
        .forEach(id -> table.addRow("live again", id.toString(), artifactText(view, id)));
    return true;
  }

  private static String artifactText(RecordLookup view, Id artifact) {
    return TextTable.toCell(view.artifact(artifact).content().text().orElse("(no text)"));
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
