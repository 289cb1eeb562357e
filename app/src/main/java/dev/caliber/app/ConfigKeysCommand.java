package dev.caliber.app;

import dev.caliber.app.SettingsPage.Setting;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code caliber config keys}. */
@Command(
    name = "keys",
    header = "List every setting: what it may be, what the starter file says, what it means.")
final class ConfigKeysCommand implements Callable<Integer> {
  private final Workbench workbench;

  @Option(names = "--markdown", description = "Print the page docs/configuration.md.")
  private boolean markdown;

  ConfigKeysCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  @Override
  public Integer call() {
    if (markdown) {
      workbench.terminal().out().print(SettingsPage.markdown());
    } else {
      print();
    }
    return ExitCode.OK.number();
  }

  private void print() {
    Output output = workbench.output();
    TextTable table = TextTable.of("SETTING", "TYPE", "RANGE", "STARTER");
    for (Setting setting : SettingsPage.settings()) {
      output.result(
          setting,
          () -> table.row(setting.key(), setting.type(), setting.range(), setting.starter()));
    }
    if (!output.json()) {
      output.table(table);
    }
  }
}
