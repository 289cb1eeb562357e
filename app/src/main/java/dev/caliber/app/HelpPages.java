package dev.caliber.app;

import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.Terminal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Layout of help: commands in groups, exit codes at the end, colours only on a terminal. */
public final class HelpPages {
  /** Groups of commands, in the order in which a new user needs them. */
  private static final Map<String, List<String>> GROUPS = groups();

  private static final String HIDDEN_HELP = "help";
  private static final int WIDTH = 100;
  private static final int MARGIN = 3;
  private static final int NAME_WIDTH = 23;

  private HelpPages() {}

  static CommandLine arrange(CommandLine commands, Terminal terminal) {
    commands
        .setColorScheme(
            Help.defaultColorScheme(terminal.hasColours() ? Help.Ansi.ON : Help.Ansi.OFF))
        .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(WIDTH);
    commands
        .getHelpSectionMap()
        .put(
            UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
            help -> help.createHeading("%nCommands:%n"));
    commands
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpPages::groupedCommands);
    commands
        .getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(
            Stream.of(ExitCode.values())
                .collect(
                    Collectors.toMap(
                        code -> " " + code.number(),
                        ExitCode::meaning,
                        (a, _) -> a,
                        LinkedHashMap::new)));
    return commands;
  }

  public static Map<String, List<String>> groupNames() {
    return GROUPS;
  }

  private static Map<String, List<String>> groups() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    groups.put("Begin", List.of("demo", "init", "config", HIDDEN_HELP, "version"));
    groups.put("Remember", List.of("remember", "recall", "notes", "history", "forget", "promote"));
    groups.put("Compose", List.of("assemble", "windows", "explain", "annotate"));
    groups.put(
        "Check and repair",
        List.of(
            "validate",
            "lint",
            "checkpoint",
            "recover",
            "state",
            "turns",
            "artifacts",
            "lineage",
            "trace",
            "cleanup"));
    groups.put("Serve", List.of("serve", "keys", "mcp", "connect"));
    groups.put("Configure", List.of("pack", "dsl"));
    groups.put(
        "Inspect",
        List.of("stats", "spaces", "feed", "jobs", "agents", "leases", "messages", "index"));
    groups.put(
        "Back up and check the store",
        List.of("backup", "restore", "export", "import", "doctor", "compact"));
    return groups;
  }

  private static String groupedCommands(Help help) {
    StringBuilder text = new StringBuilder();
    GROUPS.forEach(
        (group, names) -> {
          text.append(" ").append(group).append(System.lineSeparator());
          for (String name : names) {
            Help command = help.subcommands().get(name);
            if (command != null) {
              text.append(summary(help, name, command));
            }
          }
        });
    return text.toString();
  }

  private static String summary(Help help, String name, Help command) {
    List<String> children = new ArrayList<>(command.subcommands().keySet());
    String names = children.isEmpty() ? name : name + " " + String.join("|", children);
    String[] header = command.commandSpec().usageMessage().header();
    String gap =
        names.length() < NAME_WIDTH
            ? " ".repeat(NAME_WIDTH - names.length())
            : System.lineSeparator() + " ".repeat(MARGIN + NAME_WIDTH);
    return help.colorScheme().ansi().new Text("   @|bold %s|@".formatted(names)).toString()
        + gap
        + String.join(" ", header)
        + System.lineSeparator();
  }
}
