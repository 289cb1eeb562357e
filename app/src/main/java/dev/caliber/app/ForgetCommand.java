package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryView;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
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
    header = "Delete memories for good: content, versions, and quotations of them.",
    description = {
      "Without --yes nothing is deleted: the command shows what would be deleted.",
      "Give one record by its id (a trajectory or scope includes everything in it), or options that"
          + " select records. A tombstone without content remains. Backups and exports made before"
          + " still have the content."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber forget --subject alice                show everything that belongs to alice",
      "  caliber forget --subject alice --yes          delete it",
      "  caliber forget 01J8ZQ4T6W3V5X7Y9ABCDEFGHJ --yes --reason \"asked by mail\"",
    })
final class ForgetCommand implements Callable<Integer> {
  private static final String NO_TEXT = "(no text)";

  private final CommandContext commandContext;

  @Parameters(paramLabel = "ID", arity = "0..1", description = "One record, as recall shows it.")
  private Optional<String> id = Optional.empty();

  @Mixin private FilterOptions filter = new FilterOptions();

  @Option(names = "--dry-run", description = "Show what would be deleted (default without --yes).")
  private boolean preview;

  @Option(names = "--yes", description = "Delete it.")
  private boolean yes;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "The reason, for the tombstone. Do not put content in it.")
  private String reason = "";

  ForgetCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record ForgetOutput(
      boolean preview, boolean complete, List<ForgottenRecordOutput> records) {}

  private record ForgottenRecordOutput(String type, String id) {}

  @Override
  public Integer call() {
    requireConsistentOptions();
    Optional<ServerClient> server = commandContext.runningServer();
    if (server.isPresent()) {
      try (ServerClient serverClient = server.get()) {
        askServer(serverClient);
      }
      return ExitCode.OK.number();
    }
    SpaceId space = commandContext.space();
    try (OpenIndex search = OpenIndex.withoutModels(commandContext)) {
      Memory memory = MemoryFactory.create(search);
      TextTable table = TextTable.of("TYPE", "ID", "TEXT");
      ForgetRecords request = forgetRequest(memory, space);
      ForgetResult previewed = memory.forget(space, request.asPreview());
      memory.view(space, view -> addRows(view, previewed.records(), table));
      ForgetResult result = yes ? memory.forget(space, request) : previewed;
      if (yes) {
        search.awaitIndexed(space);
      }
      commandContext.output().printResult(toOutput(result), () -> print(result, table));
    }
    return ExitCode.OK.number();
  }

  private void askServer(ServerClient serverClient) {
    ObjectNode input = ServerClient.newInput().put("reason", reason);
    ServerClient.putIfPresent(input, "id", id.map(Id::parse));
    filter.addTo(input);
    ForgetResult previewed =
        serverClient.post("/forget", input.put("dry_run", true), ForgetResult.class);
    TextTable table = TextTable.of("TYPE", "ID", "TEXT");
    previewed.records().forEach(record -> table.addRow(tableRow(serverClient, record)));
    ForgetResult result =
        yes
            ? serverClient.post("/forget", input.put("dry_run", false), ForgetResult.class)
            : previewed;
    commandContext.output().printResult(toOutput(result), () -> print(result, table));
  }

  private static String[] tableRow(ServerClient serverClient, EntityRef record) {
    String text =
        switch (record.type()) {
          case NOTE -> serverClient.get("/notes/" + record.id(), Note.class).content();
          case TURN -> serverClient.get("/turns/" + record.id(), Turn.class).searchableText();
          case ARTIFACT ->
              serverClient
                  .get("/artifacts/" + record.id(), Artifact.class)
                  .content()
                  .text()
                  .orElse(NO_TEXT);
          case TRAJECTORY ->
              serverClient.get("/trajectories/" + record.id(), Trajectory.class).goal();
          case SCOPE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> "";
        };
    return new String[] {record.type().lowerCaseName(), record.id(), TextTable.toCell(text)};
  }

  private void requireConsistentOptions() {
    if (preview && yes) {
      throw AppException.conflictingOptions(
          "--dry-run cannot be combined with --yes", "Leave out one of them.");
    }
    if (id.isPresent() != filter.isEmpty()) {
      throw AppException.conflictingOptions(
          id.isPresent()
              ? "ID cannot be combined with options that select records"
              : "Nothing selects the records to forget",
          "Name an ID, or --subject, --external-id, --entity, --session or --type.");
    }
  }

  private ForgetRecords forgetRequest(Memory memory, SpaceId space) {
    return new ForgetRecords(
        id.map(Id::parse),
        id.isPresent() ? Optional.empty() : Optional.of(filter.recallFilter(memory, space)),
        false,
        reason);
  }

  private static boolean addRows(MemoryView view, List<EntityRef> records, TextTable table) {
    for (EntityRef record : records) {
      table.addRow(
          record.type().lowerCaseName(), record.id(), TextTable.toCell(recordText(view, record)));
    }
    return true;
  }

  private static String recordText(MemoryView view, EntityRef record) {
    return switch (record.type()) {
      case NOTE -> view.note(Id.parse(record.id())).content();
      case TURN -> view.turn(Id.parse(record.id())).searchableText();
      case ARTIFACT -> view.artifact(Id.parse(record.id())).content().text().orElse(NO_TEXT);
      case TRAJECTORY -> view.trajectory(Id.parse(record.id())).goal();
      case SCOPE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> "";
    };
  }

  private static ForgetOutput toOutput(ForgetResult result) {
    return new ForgetOutput(
        result.preview(),
        result.complete(),
        result.records().stream()
            .map(record -> new ForgottenRecordOutput(record.type().lowerCaseName(), record.id()))
            .toList());
  }

  private void print(ForgetResult result, TextTable table) {
    Terminal terminal = commandContext.terminal();
    if (result.records().isEmpty()) {
      terminal.printNote("No record matches; nothing was deleted.");
      return;
    }
    table.print(terminal);
    terminal.printNote(
        result.preview()
            ? "Records to delete: %,d%s. Use --yes to delete them."
                .formatted(result.records().size(), result.complete() ? "" : " and more")
            : "Records deleted: %,d.".formatted(result.records().size()));
  }
}
