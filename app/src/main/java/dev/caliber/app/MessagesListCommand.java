package dev.caliber.app;

import dev.caliber.agents.AgentsView;
import dev.caliber.agents.Message;
import dev.caliber.agents.MessageState;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Timestamps;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code caliber messages list}. */
@Command(
    name = "list",
    header = "List the messages of a space in one state, oldest first.",
    description = "Without their content, which is private to the agents.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber messages list                  messages that wait",
      "  caliber messages list --state dead     dead letters, for 'caliber messages requeue'",
    })
final class MessagesListCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "PENDING, DELIVERED, ACKNOWLEDGED, EXPIRED or DEAD. Default: messages that wait.")
  private MessageState state = MessageState.PENDING;

  MessagesListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    List<MessageSummary> lines = commandContext.askServerOrStore(this::askServer, this::readStore);
    commandContext.output().printResults(lines, () -> print(lines));
    return ExitCode.OK.number();
  }

  private List<MessageSummary> askServer(ServerClient serverClient) {
    return serverClient.list("/messages?state=" + state, JsonNode.class).stream()
        .map(MessageSummary::of)
        .toList();
  }

  private List<MessageSummary> readStore() {
    try (OpenStore store = commandContext.open()) {
      List<Message> found =
          store
              .records()
              .read(
                  commandContext.space(),
                  snapshot ->
                      AgentsView.of(snapshot, commandContext.configs().agents()).messages(state));
      return found.stream()
          .map(message -> MessageSummary.of(Json.mapper().valueToTree(message)))
          .toList();
    }
  }

  private void print(List<MessageSummary> lines) {
    TextTable table =
        TextTable.of("MESSAGE", "FROM", "TO", "TYPE", "PRIORITY", "STATE", "ATTEMPTS", "SENT");
    for (MessageSummary line : lines) {
      table.addRow(
          line.id().toString(),
          line.from(),
          line.to(),
          line.type(),
          line.priority(),
          line.state(),
          CommandOutput.formatNumber(line.attempts()),
          Timestamps.format(line.sentAt()));
    }
    commandContext.output().printTable(table);
  }
}
