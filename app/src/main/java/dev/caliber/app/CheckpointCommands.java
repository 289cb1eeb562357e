package dev.caliber.app;

import dev.caliber.memory.pcp.CleanupCounts;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.Trajectory;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The commands {@code caliber checkpoint} and {@code caliber cleanup}. */
record CheckpointCommands(CommandContext commandContext) {

  CommandLine checkpoints() {
    return GroupCommand.of(
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

  CommandLine cleanUp() {
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
