package dev.caliber.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber version}: prints what {@code --version} does. */
@Command(name = "version", header = "Show the version, and the Java it runs on.")
final class VersionCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  VersionCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record VersionOutput(String version, String runtime) {}

  @Override
  public Integer call() {
    String[] lines = new AppVersionProvider().getVersion();
    commandContext
        .output()
        .printResult(new VersionOutput(lines[0], lines[1]), String.join("\n", lines));
    return ExitCode.OK.number();
  }
}
