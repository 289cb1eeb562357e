package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber spaces list}. */
@Command(name = "list", header = "List the spaces and how far each has come.")
final class SpacesListCommand implements Callable<Integer> {
  private final Workbench workbench;

  SpacesListCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Listed(String space, long lastCommit, long epoch) {}

  @Override
  public Integer call() {
    Output output = workbench.output();
    TextTable table = TextTable.of("SPACE", "LAST COMMIT", "EPOCH");
    try (OpenStore store = workbench.open()) {
      for (SpaceId space : store.records().spaces()) {
        FeedCursor head = store.feed().head(space);
        output.result(
            new Listed(space.value(), head.sequence(), head.epoch()),
            () ->
                table.row(
                    space.value(), Output.number(head.sequence()), Output.number(head.epoch())));
      }
    }
    if (!output.json()) {
      output.table(table);
    }
    return ExitCode.OK.number();
  }
}
