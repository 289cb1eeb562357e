package dev.caliber.app.shell;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups subcommands; called alone, it names them. */
public class CommandGroup implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  /** Returns a group of these commands. */
  public static CommandLine of(String name, String header, Object... commands) {
    CommandGroup group = new CommandGroup();
    CommandSpec groupSpec = CommandSpec.wrapWithoutInspection(group).name(name);
    groupSpec.usageMessage().header(header).synopsisSubcommandLabel("COMMAND");
    group.spec = groupSpec;
    CommandLine commandLine = new CommandLine(groupSpec);
    List.of(commands).forEach(commandLine::addSubcommand);
    return commandLine;
  }

  @Override
  public final void run() {
    if (spec != null) {
      String wanted =
          spec.subcommands().keySet().stream().collect(Collectors.joining("' or '", "'", "'"));
      throw new ParameterException(
          spec.commandLine(), "Expected %s after '%s'".formatted(wanted, spec.qualifiedName()));
    }
  }
}
