package dev.caliber.app.serve;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.TextTable;
import dev.caliber.kernel.settings.SettingOrigin;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code caliber config show}. */
@Command(
    name = "show",
    header = "Show the value of every setting, and the layer that it comes from.",
    description =
        "The layer is the starter version, a line of the file, or an environment variable; a later layer"
            + " overrides an earlier one. Opens no store.")
public final class ConfigShowCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  public ConfigShowCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    CommandOutput commandOutput = commandContext.output();
    TextTable table = TextTable.of("SETTING", "FROM", "VALUE");
    for (SettingOrigin origin : commandContext.findConfig().requireValid().origins()) {
      commandOutput.printResult(
          origin,
          () ->
              table.addRow(
                  origin.key(),
                  origin.location().isEmpty() ? origin.layer() : origin.location(),
                  TextTable.toCell(origin.value())));
    }
    if (!commandOutput.json()) {
      commandOutput.printTable(table);
    }
    return ExitCode.OK.number();
  }
}
