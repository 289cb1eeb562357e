package dev.caliber.app;

import dev.caliber.kernel.Json;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.Activate;
import dev.caliber.memory.deployment.Stamp;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code caliber pack activate}. */
@Command(
    name = "activate",
    header = "Let a space run on a version that it has.",
    description = "Running processes use it a moment later, without a restart.")
final class PackActivateCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Parameters(index = "0", paramLabel = "NAME", description = "As 'caliber pack list' shows it.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "VERSION", description = "A number from 1 on.")
  private int version;

  @Mixin private ActorOption actor = new ActorOption();

  PackActivateCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    Stamp stamp = actor.stamp(workbench.surroundings());
    ObjectNode input = Remote.input().put("name", name).put("version", version);
    input.set("metadata", Json.mapper().valueToTree(stamp.metadata()));
    Activations.print(
        workbench,
        workbench.ask(
            remote -> Activations.ask(remote, "/deployments/activate", input),
            () -> activate(stamp)));
    return ExitCode.OK.number();
  }

  private Activations.Answer activate(Stamp stamp) {
    try (OpenStore store = workbench.open()) {
      return Activations.Answer.of(
          Deployments.of(store.records())
              .activate(workbench.space(), new Activate(name, version, stamp)));
    }
  }
}
