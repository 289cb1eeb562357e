package dev.caliber.app;

import dev.caliber.agents.ReviveMessage;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code caliber mail revive}. */
@Command(
    name = "revive",
    header = "Put a dead letter back into its inbox: its deliveries and its time begin anew.")
final class MailReviveCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(
      paramLabel = "MESSAGE",
      description = "Its id, as 'caliber mail list --state dead' shows it.")
  private String message = "";

  @Mixin private ByOption by = new ByOption();

  MailReviveCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Id id = Id.parse(message);
    MessageLine revived =
        MessageLine.of(
            workbench.ask(
                remote ->
                    remote.post(
                        "/messages/%s/revive".formatted(id), Remote.input(), JsonNode.class),
                () -> revive(id)));
    workbench.output().result(revived, "The message waits for %s again.".formatted(revived.to()));
    return ExitCode.OK.number();
  }

  private JsonNode revive(Id id) {
    String who = by.name(workbench.surroundings());
    try (OpenContext context = OpenContext.of(workbench, false)) {
      return Json.mapper()
          .valueToTree(
              context.agents(workbench).run(workbench.space(), new ReviveMessage(id, who)));
    }
  }
}
