package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.EntityRef;
import dev.caliber.memory.Forget;
import dev.caliber.memory.Forgotten;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
          "Name an ID, or --subject, --about, --session or --type.");
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
      case ARTIFACT -> view.artifact(Id.parse(record.id())).content().text().orElse("(no text)");
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
