package dev.caliber.app.serve;

import dev.caliber.app.serve.SettingsPageGenerator.SettingDescription;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.TextTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber config list}. */
@Command(
    name = "list",
    header = "List every setting: its type, its range, its starter value and its meaning.")
public final class ConfigListCommand implements Callable<Integer> {
  private final CommandContext commandContext;

  @Option(names = "--markdown", description = "Print the page docs/configuration.md.")
  private boolean markdown;

  public ConfigListCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  @Override
  public Integer call() {
    if (markdown) {
      commandContext.terminal().out().print(SettingsPageGenerator.markdown());
    } else {
      print();
    }
    return ExitCode.OK.number();
  }

  private void print() {
    CommandOutput commandOutput = commandContext.output();
    TextTable table = TextTable.of("SETTING", "TYPE", "RANGE", "STARTER");
    for (SettingDescription settingDescription : SettingsPageGenerator.settings()) {
      commandOutput.printResult(
          settingDescription,
          () ->
              table.addRow(
                  settingDescription.key(),
                  settingDescription.type(),
                  settingDescription.range(),
                  settingDescription.starter()));
    }
    if (!commandOutput.json()) {
      commandOutput.printTable(table);
    }
  }
}
