package dev.caliber.app;

import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.deployment.Deployments.Activate;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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
    try (OpenStore store = workbench.open()) {
      var stamp = actor.stamp(workbench.surroundings());
      var activated =
          Deployments.of(store.records())
              .activate(workbench.space(), new Activate(name, version, stamp));
      Activations.print(workbench, activated);
    }
    return ExitCode.OK.number();
  }
}
