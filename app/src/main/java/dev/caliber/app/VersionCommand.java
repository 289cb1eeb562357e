package dev.caliber.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber version}: what {@code --version} says, for those who try the word. */
@Command(name = "version", header = "Show the version, and what it runs on.")
final class VersionCommand implements Callable<Integer> {
  private final Workbench workbench;

  VersionCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Shown(String version, String runtime) {}

  @Override
  public Integer call() {
    String[] lines = new Version().getVersion();
    workbench.output().result(new Shown(lines[0], lines[1]), String.join("\n", lines));
    return ExitCode.OK.number();
  }
}
