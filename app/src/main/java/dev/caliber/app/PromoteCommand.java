package dev.caliber.app;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.Promote;
import dev.caliber.memory.record.EntityRef;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code caliber promote}. */
@Command(
    name = "promote",
    header = "Give a note or artifact of one subject to the whole space.",
    description =
        "Removes its subject, so that every reader of the space sees it. The trace says so; with a"
            + " server, the audit log says who did it.",
    footerHeading = "%nExamples:%n",
    footer = "  caliber promote 01ARZ3NDEKTSV4RRFFQ69G5FAV")
final class PromoteCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      paramLabel = "ID",
      description = "The note or artifact, as 'caliber recall' shows it.")
  private String id = "";

  PromoteCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Id record = Id.parse(id);
    EntityRef promoted =
        workbench.ask(
            remote ->
                remote.post(
                    "/promote", Remote.input().put("id", record.toString()), EntityRef.class),
            () -> promote(record));
    workbench
        .output()
        .result(
            promoted,
            "The %s %s belongs to the whole space now."
                .formatted(promoted.type().word(), promoted.id()));
    return ExitCode.OK.number();
  }

  private EntityRef promote(Id record) {
    SpaceId space = workbench.space();
    try (OpenSearch search = OpenSearch.of(workbench)) {
      return OpenMemory.over(search).run(space, new Promote(record));
    }
  }
}
