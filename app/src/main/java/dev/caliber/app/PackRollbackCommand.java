package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.Rollback;
import dev.caliber.memory.deployment.Stamp;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber pack rollback}. */
@Command(
    name = "rollback",
    header = "Let a space run on an earlier version of what it runs on, to the byte.",
    description =
        "Without a version: the newest one before, on which the space has run. Going back twice"
            + " goes back two versions.")
final class PackRollbackCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(arity = "0..1", paramLabel = "VERSION", description = "The version to go back to.")
  private Optional<Integer> version = Optional.empty();

  @Mixin private ActorOption actor = new ActorOption();

  PackRollbackCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Stamp stamp = actor.stamp(workbench.surroundings());
    ObjectNode input = Remote.input();
    Remote.put(input, "version", version);
    input.set("metadata", Json.mapper().valueToTree(stamp.metadata()));
    Activations.print(
        workbench,
        workbench.ask(
            remote -> Activations.ask(remote, "/deployments/rollback", input),
            () -> rollBack(stamp)));
    return ExitCode.OK.number();
  }

  private Activations.Answer rollBack(Stamp stamp) {
    try (OpenStore store = workbench.open()) {
      return Activations.Answer.of(
          Deployments.of(store.records())
              .rollback(workbench.space(), new Rollback(version, stamp)));
    }
  }
}
