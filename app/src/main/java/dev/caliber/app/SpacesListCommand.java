package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import java.util.List;
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

  /** The same as a server says it. */
  private record Standing(String space, long epoch, long sequence) {
    Listed listed() {
      return new Listed(space, sequence, epoch);
    }
  }

  @Override
  public Integer call() {
    List<Listed> spaces = workbench.ask(SpacesListCommand::ask, this::read);
    workbench.output().results(spaces, () -> print(spaces));
    return ExitCode.OK.number();
  }

  private static List<Listed> ask(Remote remote) {
    return remote.list("/spaces", Standing.class).stream().map(Standing::listed).toList();
  }

  private List<Listed> read() {
    try (OpenStore store = workbench.open()) {
      return store.records().spaces().stream().map(space -> listed(store, space)).toList();
    }
  }

  private static Listed listed(OpenStore store, SpaceId space) {
    FeedCursor head = store.feed().head(space);
    return new Listed(space.value(), head.sequence(), head.epoch());
  }

  private void print(List<Listed> spaces) {
    TextTable table = TextTable.of("SPACE", "LAST COMMIT", "EPOCH");
    spaces.forEach(
        one -> table.row(one.space(), Output.number(one.lastCommit()), Output.number(one.epoch())));
    workbench.output().table(table);
  }
}
