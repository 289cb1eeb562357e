package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.PromoteRecord;
import dev.caliber.memory.record.EntityRef;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber promote}. */
@Command(
    name = "promote",
    header = "Share a note or artifact of one subject with the whole space.",
    description =
        "Removes its subject, so that every reader of the space sees it. The trace records it; with"
            + " a server, the audit log records the actor.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber promote 01ARZ3NDEKTSV4RRFFQ69G5FAV")
final class PromoteCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      paramLabel = "ID",
      description = "The note or artifact, as 'caliber recall' shows it.")
  private String id = "";

  PromoteCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Id record = Id.parse(id);
    EntityRef promoted =
        commandContext.askServerOrStore(
            serverClient ->
                serverClient.post(
                    "/promote",
                    ServerClient.newInput().put("id", record.toString()),
                    EntityRef.class),
            () -> promote(record));
    commandContext
        .output()
        .printResult(
            promoted,
            "The %s %s now belongs to the whole space."
                .formatted(promoted.type().lowerCaseName(), promoted.id()));
    return ExitCode.OK.number();
  }

  private EntityRef promote(Id record) {
    SpaceId space = commandContext.space();
    try (OpenIndex search = OpenIndex.withoutModels(commandContext)) {
      return MemoryFactory.create(search).run(space, new PromoteRecord(record));
    }
  }
}
