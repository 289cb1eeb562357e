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

/** {@code caliber mail list}. */
@Command(
    name = "list",
    header = "List the messages of a space in a state, oldest first.",
    description = "Without what they say: that is between agents.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber mail list                  what waits",
      "  caliber mail list --state dead     dead letters, for 'caliber mail revive'",
    })
final class MailListCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "PENDING, DELIVERED, ACKNOWLEDGED, EXPIRED or DEAD. Without it: those that wait.")
  private MessageState state = MessageState.PENDING;

  MailListCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    List<MessageLine> lines = workbench.ask(this::ask, this::read);
    workbench.output().results(lines, () -> print(lines));
    return ExitCode.OK.number();
  }

  private List<MessageLine> ask(Remote remote) {
    return remote.list("/messages?state=" + state, JsonNode.class).stream()
        .map(MessageLine::of)
        .toList();
  }

  private List<MessageLine> read() {
    try (OpenStore store = workbench.open()) {
      List<Message> found =
          store
              .records()
              .read(
                  workbench.space(),
                  snapshot -> AgentsView.of(snapshot, workbench.rooms().agents()).messages(state));
      return found.stream()
          .map(message -> MessageLine.of(Json.mapper().valueToTree(message)))
          .toList();
    }
  }

  private void print(List<MessageLine> lines) {
    TextTable table =
        TextTable.of("MESSAGE", "FROM", "TO", "TYPE", "PRIORITY", "STATE", "ATTEMPTS", "SENT");
    for (MessageLine line : lines) {
      table.row(
          line.id().toString(),
          line.from(),
          line.to(),
          line.type(),
          line.priority(),
          line.state(),
          Output.number(line.attempts()),
          Timestamps.format(line.sentAt()));
    }
    workbench.output().table(table);
  }
}
