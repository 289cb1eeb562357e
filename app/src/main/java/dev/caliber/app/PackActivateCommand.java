package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.memory.deployment.AuditStamp;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.ActivateConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber pack activate}. */
@Command(
    name = "activate",
    header = "Activate a stored version in a space.",
    description = "Running processes use it a moment later, without a restart.")
final class PackActivateCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The version's name, as 'caliber pack list' shows it.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "VERSION", description = "The version's number, from 1 on.")
  private int version;

  @Mixin private AuditStampOptions actor = new AuditStampOptions();

  PackActivateCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    AuditStamp auditStamp = actor.stamp(commandContext.environment());
    ObjectNode input = ServerClient.newInput().put("name", name).put("version", version);
    input.set("metadata", Json.mapper().valueToTree(auditStamp.metadata()));
    ActivationCommandSupport.print(
        commandContext,
        commandContext.askServerOrStore(
            serverClient ->
                ActivationCommandSupport.postActivation(
                    serverClient, "/deployments/activate", input),
            () -> activate(auditStamp)));
    return ExitCode.OK.number();
  }

  private ActivationCommandSupport.ActivationAnswer activate(AuditStamp auditStamp) {
    try (OpenStore store = commandContext.open()) {
      return ActivationCommandSupport.ActivationAnswer.of(
          Deployments.of(store.records())
              .activate(commandContext.space(), new ActivateConfig(name, version, auditStamp)));
    }
  }
}
