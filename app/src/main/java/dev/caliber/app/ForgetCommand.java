package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.Forget;
import dev.caliber.memory.command.Forgotten;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber forget}. */
@Command(
    name = "forget",
    header = "Remove memories for good: content, versions, and what quotes them.",
    description = {
      "Without --yes nothing is removed: the command shows what would go.",
      "Names one record by its id (a trajectory or scope goes with everything in it), or all"
          + " records that fit the options. A tombstone without content stays. Backups and exports"
          + " that were made before still have the content."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber forget --subject alice                show everything that belongs to alice",
      "  caliber forget --subject alice --yes          remove it",
      "  caliber forget 01J8ZQ4T6W3V5X7Y9ABCDEFGHJ --yes --reason \"asked by mail\"",
    })
final class ForgetCommand implements Callable<Integer> {
  private static final String NO_TEXT = "(no text)";

  private final Workbench workbench;

  @Parameters(paramLabel = "ID", arity = "0..1", description = "One record, as recall shows it.")
  private Optional<String> id = Optional.empty();

  @Mixin private FilterOptions filter = new FilterOptions();

  @Option(names = "--preview", description = "Only show what would go. So it is without --yes.")
  private boolean preview;

  @Option(names = "--yes", description = "Remove it.")
  private boolean yes;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why, for the tombstone. No content.")
  private String reason = "";

  ForgetCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Shown(boolean preview, boolean complete, List<Gone> records) {}

  private record Gone(String type, String id) {}

  @Override
  public Integer call() {
    requireFit();
    Optional<Remote> server = workbench.server();
    if (server.isPresent()) {
      try (Remote remote = server.get()) {
        ask(remote);
      }
      return ExitCode.OK.number();
    }
    SpaceId space = workbench.space();
    try (OpenSearch search = OpenSearch.of(workbench)) {
      Memory memory = OpenMemory.over(search);
      TextTable table = TextTable.of("TYPE", "ID", "TEXT");
      Forget wish = wish(memory, space);
      Forgotten would = memory.forget(space, wish.previewed());
      memory.view(space, view -> rows(view, would.records(), table));
      Forgotten gone = yes ? memory.forget(space, wish) : would;
      if (yes) {
        search.settle(space);
      }
      workbench.output().result(shown(gone), () -> print(gone, table));
    }
    return ExitCode.OK.number();
  }

  private void ask(Remote remote) {
    ObjectNode input = Remote.input().put("reason", reason);
    Remote.put(input, "id", id.map(Id::parse));
    filter.put(input);
    Forgotten would = remote.post("/forget", input.put("dry_run", true), Forgotten.class);
    TextTable table = TextTable.of("TYPE", "ID", "TEXT");
    would.records().forEach(record -> table.row(row(remote, record)));
    Forgotten gone =
        yes ? remote.post("/forget", input.put("dry_run", false), Forgotten.class) : would;
    workbench.output().result(shown(gone), () -> print(gone, table));
  }

  private static String[] row(Remote remote, EntityRef record) {
    String text =
        switch (record.type()) {
          case NOTE -> remote.get("/notes/" + record.id(), Note.class).content();
          case TURN -> remote.get("/turns/" + record.id(), Turn.class).words();
          case ARTIFACT ->
              remote
                  .get("/artifacts/" + record.id(), Artifact.class)
                  .content()
                  .text()
                  .orElse(NO_TEXT);
          case TRAJECTORY -> remote.get("/trajectories/" + record.id(), Trajectory.class).goal();
          case SCOPE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> "";
        };
    return new String[] {record.type().word(), record.id(), TextTable.cut(text)};
  }

  private void requireFit() {
    if (preview && yes) {
      throw AppException.optionsDoNotFit(
          "--preview shows and --yes removes", "Leave out one of them.");
    }
    if (id.isPresent() != filter.isEmpty()) {
      throw AppException.optionsDoNotFit(
          id.isPresent()
              ? "An id names one record, and the options name others"
              : "Nothing is named that could be forgotten",
          "Name an ID, or --subject, --external-id, --about, --session or --type.");
    }
  }

  private Forget wish(Memory memory, SpaceId space) {
    return new Forget(
        id.map(Id::parse),
        id.isPresent() ? Optional.empty() : Optional.of(filter.filter(memory, space)),
        false,
        reason);
  }

  private static boolean rows(MemoryView view, List<EntityRef> records, TextTable table) {
    for (EntityRef record : records) {
      table.row(record.type().word(), record.id(), TextTable.cut(text(view, record)));
    }
    return true;
  }

  private static String text(MemoryView view, EntityRef record) {
    return switch (record.type()) {
      case NOTE -> view.note(Id.parse(record.id())).content();
      case TURN -> view.turn(Id.parse(record.id())).words();
      case ARTIFACT -> view.artifact(Id.parse(record.id())).content().text().orElse(NO_TEXT);
      case TRAJECTORY -> view.trajectory(Id.parse(record.id())).goal();
      case SCOPE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> "";
    };
  }

  private static Shown shown(Forgotten gone) {
    return new Shown(
        gone.preview(),
        gone.complete(),
        gone.records().stream()
            .map(record -> new Gone(record.type().word(), record.id()))
            .toList());
  }

  private void print(Forgotten gone, TextTable table) {
    Terminal terminal = workbench.terminal();
    if (gone.records().isEmpty()) {
      terminal.note("Nothing fits, so nothing is forgotten.");
      return;
    }
    table.print(terminal);
    terminal.note(
        gone.preview()
            ? "Would forget: %,d%s. With --yes they go."
                .formatted(gone.records().size(), gone.complete() ? "" : " and more")
            : "Forgotten: %,d.".formatted(gone.records().size()));
  }
}
