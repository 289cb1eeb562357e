package dev.caliber.app;

import dev.caliber.agents.RequeueMessage;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code caliber messages requeue}. */
@Command(
    name = "requeue",
    header =
        "Put a dead letter back into its inbox, with new delivery attempts and a new time limit.")
final class MessagesRequeueCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      paramLabel = "MESSAGE",
      description = "The message's id, as 'caliber messages list --state dead' shows it.")
  private String message = "";

  @Mixin private ActorNameOption by = new ActorNameOption();

  MessagesRequeueCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    Id id = Id.parse(message);
    MessageSummary revived =
        MessageSummary.of(
            commandContext.askServerOrStore(
                serverClient ->
                    serverClient.post(
                        "/messages/%s/requeue".formatted(id),
                        ServerClient.newInput(),
                        JsonNode.class),
                () -> revive(id)));
    commandContext
        .output()
        .printResult(revived, "The message waits for %s again.".formatted(revived.to()));
    return ExitCode.OK.number();
  }

  private JsonNode revive(Id id) {
    String who = by.name(commandContext.environment());
    try (OpenMemoryServices context = OpenMemoryServices.of(commandContext, false)) {
      return Json.mapper()
          .valueToTree(
              context
                  .agents(commandContext)
                  .run(commandContext.space(), new RequeueMessage(id, who)));
    }
  }
}
