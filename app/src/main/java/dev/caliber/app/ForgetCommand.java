package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ForgetResult;
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
    OperationInput input = OperationInput.of("reason", reason).with("id", id.map(Id::parse));
    filter.addTo(input);
    try (StoreOperations operations = commandContext.operations(StoreUse.EXISTING)) {
      ForgetResult previewed =
          operations.call("forget", input.with("dry_run", true), ForgetResult.class);
      TextTable table = TextTable.of("TYPE", "ID", "TEXT");
      RecordTexts texts = new RecordTexts(operations);
      previewed
          .records()
          .forEach(
              record -> table.addRow(record.type().lowerCaseName(), record.id(), texts.of(record)));
      ForgetResult result = yes ? forget(operations, input) : previewed;
      commandContext.output().printResult(toOutput(result), () -> print(result, table));
    }
    return ExitCode.OK.number();
  }

  private static ForgetResult forget(StoreOperations operations, OperationInput input) {
    ForgetResult result =
        operations.call("forget", input.with("dry_run", false), ForgetResult.class);
    operations.awaitIndexed();
    return result;
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
