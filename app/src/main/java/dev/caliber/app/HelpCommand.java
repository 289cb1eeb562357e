package dev.caliber.app;

import dev.caliber.app.shell.AppException;
import dev.caliber.kernel.NearestName;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code caliber help}: shows the help of a command of any depth. */
@Command(
    name = "help",
    header = "Show the help of a command.",
    synopsisHeading = "%nUsage: ",
    helpCommand = true)
final class HelpCommand implements Runnable {
  @Spec private @org.jspecify.annotations.Nullable CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "The command's name, as in 'feed tail'.")
  private List<String> path = List.of();

  @Override
  public void run() {
    if (spec == null) {
      return;
    }
    CommandLine command = spec.parent().commandLine();
    for (String name : path) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw AppException.usage(
            "Unknown command '%s'".formatted(String.join(" ", path)),
            hint(name, command) + "See 'caliber --help'.");
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut(), command.getColorScheme());
  }

  private static String hint(String name, CommandLine among) {
    return CommandSynonyms.commandFor(name, among)
        .or(() -> NearestName.find(name, among.getSubcommands().keySet()))
        .map("Did you mean %s? "::formatted)
        .orElse("");
  }
}
