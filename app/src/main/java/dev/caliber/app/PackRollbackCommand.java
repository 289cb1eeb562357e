package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.memory.deployment.AuditStamp;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.RollbackConfig;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber pack rollback}. */
@Command(
    name = "rollback",
    header = "Return a space to an earlier version of its active name, byte for byte.",
    description =
        "Without a version: the newest earlier one that was active in the space. Two rollbacks go"
            + " back two versions.")
final class PackRollbackCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Parameters(arity = "0..1", paramLabel = "VERSION", description = "The version to return to.")
  private Optional<Integer> version = Optional.empty();

  @Mixin private AuditStampOptions actor = new AuditStampOptions();

  PackRollbackCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    AuditStamp auditStamp = actor.stamp(commandContext.environment());
    ObjectNode input = ServerClient.newInput();
    ServerClient.putIfPresent(input, "version", version);
    input.set("metadata", Json.mapper().valueToTree(auditStamp.metadata()));
    ActivationCommandSupport.print(
        commandContext,
        commandContext.askServerOrStore(
            serverClient ->
                ActivationCommandSupport.postActivation(
                    serverClient, "/deployments/rollback", input),
            () -> rollBack(auditStamp)));
    return ExitCode.OK.number();
  }

  private ActivationCommandSupport.ActivationAnswer rollBack(AuditStamp auditStamp) {
    try (OpenStore store = commandContext.open()) {
      return ActivationCommandSupport.ActivationAnswer.of(
          Deployments.of(store.records())
              .rollback(commandContext.space(), new RollbackConfig(version, auditStamp)));
    }
  }
}
