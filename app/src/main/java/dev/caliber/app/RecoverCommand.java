package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.RolledBack;
import dev.caliber.memory.pcp.Recover;
import dev.caliber.memory.pcp.Recovery;
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
      "What came after the checkpoint leaves the live set and can still be read. The trajectory goes"
          + " on in a new scope with the conversation that it had."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber recover thread-7                                          show what would go",
      "  caliber recover thread-7 --to 01JD0000000000000000000000 --yes    do it",
    })
final class RecoverCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Mixin private TrajectoryParameter trajectory = new TrajectoryParameter();

  @Option(
      names = "--to",
      paramLabel = "CHECKPOINT",
      description = "The checkpoint's id. Without it: the newest.")
  private Optional<String> checkpoint = Optional.empty();

  @Option(names = "--dry-run", description = "Only show what would go. So it is without --yes.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do it.")
  private boolean yes;

  RecoverCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    if (dryRun && yes) {
      throw AppException.optionsDoNotFit(
          "--dry-run shows and --yes does it", "Leave out one of them.");
    }
    Told told = workbench.ask(this::ask, this::recover);
    workbench.output().result(told.recovery(), () -> print(told.recovery(), told.table()));
    return (told.recovery().success() ? ExitCode.OK : ExitCode.NOT_FOUND).number();
  }

  /** What was done, and its records with their words. */
  private record Told(Recovery recovery, TextTable table) {}

  private Told ask(Remote remote) {
    String path = "/trajectories/" + trajectory.of(remote);
    ObjectNode input = Remote.input().put("dry_run", !yes);
    Remote.put(input, "checkpoint", checkpoint.map(OpenContext::checkpoint));
    Recovery done = remote.post(path + "/recover", input, Recovery.class);
    TextTable table = TextTable.of("TYPE", "ID", "TEXT");
    done.done().ifPresent(told -> rows(new RemoteWords(remote), told, table));
    return new Told(done, table);
  }

  private Told recover() {
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      Recover wish =
          checkpoint
              .map(id -> Recover.to(OpenContext.checkpoint(id)))
              .orElseGet(() -> Recover.latest(trajectory.of(context, space)));
      Recovery would = context.guardian().recover(space, wish.dry());
      requireOf(trajectory.of(context, space), would);
      Recovery done = yes ? context.guardian().recover(space, wish) : would;
      TextTable table = TextTable.of("TYPE", "ID", "TEXT");
      done.done()
          .ifPresent(
              told -> context.memory().view(space, view -> rows(new ReadWords(view), told, table)));
      return new Told(done, table);
    }
  }

  /** What turns and artifacts say. */
  private interface Words {
    Turn turn(Id id);

    Artifact artifact(Id id);
  }

  private record ReadWords(MemoryView view) implements Words {
    @Override
    public Turn turn(Id id) {
      return view.turn(id);
    }

    @Override
    public Artifact artifact(Id id) {
      return view.artifact(id);
    }
  }

  private record RemoteWords(Remote remote) implements Words {
    @Override
    public Turn turn(Id id) {
      return remote.get("/turns/" + id, Turn.class);
    }

    @Override
    public Artifact artifact(Id id) {
      return remote.get("/artifacts/" + id, Artifact.class);
    }
  }

  private static void requireOf(Id trajectory, Recovery would) {
    would
        .done()
        .filter(told -> !told.trajectory().equals(trajectory))
        .ifPresent(
            told -> {
              throw AppException.usage(
                  "The checkpoint is of trajectory " + told.trajectory(),
                  "'caliber checkpoint list' shows those of a trajectory.");
            });
  }

  private static boolean rows(Words view, RolledBack told, TextTable table) {
    told.scopes().forEach(id -> table.row("scope", id.toString(), ""));
    told.turns()
        .forEach(id -> table.row("turn", id.toString(), TextTable.cut(view.turn(id).words())));
    told.artifacts().forEach(id -> table.row("artifact", id.toString(), text(view, id)));
    told.restored().forEach(id -> table.row("live again", id.toString(), text(view, id)));
    return true;
  }

  private static String text(Words view, Id artifact) {
    return TextTable.cut(view.artifact(artifact).content().text().orElse("(no text)"));
  }

  private void print(Recovery done, TextTable table) {
    Terminal terminal = workbench.terminal();
    done.reason()
        .ifPresent(
            reason -> terminal.note(done.code().map(code -> code + ": ").orElse("") + reason));
    if (!table.isEmpty()) {
      table.print(terminal);
    }
    done.done()
        .ifPresent(
            told ->
                terminal.note(
                    told.newScope()
                        .map(scope -> "Back at %s; it goes on in scope " + scope + ".")
                        .orElse("Would go back to %s. With --yes it does.")
                        .formatted(Timestamps.format(told.restoredTo()))));
  }
}
