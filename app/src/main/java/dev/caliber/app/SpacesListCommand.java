package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.FeedCursor;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber spaces list}. */
@Command(name = "list", header = "List the spaces, each with its last commit.")
final class SpacesListCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  SpacesListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record SpaceOutput(String space, long sequence, long epoch) {}

  /** A space as the server reports it. */
  private record RemoteSpace(String space, long epoch, long sequence) {
    SpaceOutput toOutput() {
      return new SpaceOutput(space, sequence, epoch);
    }
  }

  @Override
  public Integer call() {
    List<SpaceOutput> spaces =
        commandContext.askServerOrStore(SpacesListCommand::askServer, this::readStore);
    commandContext.output().printResults(spaces, () -> print(spaces));
    return ExitCode.OK.number();
  }

  private static List<SpaceOutput> askServer(ServerClient serverClient) {
    return serverClient.list("/spaces", RemoteSpace.class).stream()
        .map(RemoteSpace::toOutput)
        .toList();
  }

  private List<SpaceOutput> readStore() {
    try (OpenStore store = commandContext.open()) {
      return store.records().spaces().stream().map(space -> spaceOutput(store, space)).toList();
    }
  }

  private static SpaceOutput spaceOutput(OpenStore store, SpaceId space) {
    FeedCursor head = store.feed().head(space);
    return new SpaceOutput(space.value(), head.sequence(), head.epoch());
  }

  private void print(List<SpaceOutput> spaces) {
    TextTable table = TextTable.of("SPACE", "SEQUENCE", "EPOCH");
    spaces.forEach(
        one ->
            table.addRow(
                one.space(),
                CommandOutput.formatNumber(one.sequence()),
                CommandOutput.formatNumber(one.epoch())));
    commandContext.output().printTable(table);
  }
}
