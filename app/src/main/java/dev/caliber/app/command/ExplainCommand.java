package dev.caliber.app.command;

import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.ExitCode;
import dev.caliber.app.shell.OperationCommand;
import dev.caliber.app.shell.OperationInput;
import dev.caliber.app.shell.RecordIdParser;
import dev.caliber.app.shell.RecordTable;
import dev.caliber.app.shell.StoreOperations;
import dev.caliber.app.shell.Terminal;
import dev.caliber.app.shell.TextTable;
import dev.caliber.memory.context.explain.WindowDiff;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.context.window.Window;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The command {@code caliber explain}. */
public record ExplainCommand(CommandContext commandContext) {
  private static final int BAR_CELLS_BOUND = 40;

  private record ReplayOutput(String window, String text) {}

  public CommandLine explain() {
    return OperationCommand.named(
            commandContext, "explain", "Say why each item of a window is in or out.")
        .description(
            "Shows the ledger of a stored window: how the sections used the budget, and every"
                + " candidate with its score, its tokens and the reason.",
            "--replay composes the text again, byte for byte, or lists the records that are gone."
                + " --diff lists what another window has that this one has not, and why.")
        .examples(
            "  caliber explain 01JD0000000000000000000000",
            "  caliber explain 01JD0000000000000000000000 --json",
            "  caliber explain 01JD0000000000000000000000 --diff 01JD0000000000000000000001")
        .parameter("WINDOW", "id", RecordIdParser::parseWindow, "The window's id.")
        .option("--diff", "WINDOW", "other", RecordIdParser::parseWindow, "The other window's id.")
        .flag("--replay", "replay", "Print the window's text, composed again from its ledger.")
        .runs(this::explain);
  }

  private ExitCode explain(StoreOperations operations, OperationInput input) {
    CommandOutput output = commandContext.output();
    if (input.takeFlag("replay")) {
      ReplayOutput replay = operations.call("replay_window", input, ReplayOutput.class);
      output.printResult(replay, replay.text().stripTrailing());
    } else if (input.has("other")) {
      WindowDiff diff = operations.call("diff_windows", input, WindowDiff.class);
      output.printResult(diff, () -> print(diff));
    } else {
      Window window = operations.call("get_window", input, Window.class);
      WindowExplanation explanation = WindowExplanation.of(window);
      output.printResult(explanation, () -> print(explanation));
    }
    return ExitCode.OK;
  }

  private void print(WindowExplanation explanation) {
    Terminal terminal = commandContext.terminal();
    WindowExplanation.ExplanationBudget budget = explanation.budget();
    terminal.printLine(
        "%,d of %,d tokens (counter: %s)%s"
            .formatted(
                budget.used(),
                budget.total(),
                explanation.counter(),
                explanation.degraded().map(reason -> "; " + reason).orElse("")));
    TextTable sections = TextTable.of("SECTION", "TOKENS", "SHARE");
    budget
        .bySection()
        .forEach(
            (name, tokens) ->
                sections.addRow(
                    name, CommandOutput.formatNumber(tokens), budgetBar(tokens, budget.total())));
    sections.print(terminal);
    terminal.printLine("");
    printItems(explanation, terminal);
    explanation.rest().forEach((section, more) -> terminal.printNote(section + ": " + more));
  }

  /** Prints every candidate of a window, with its tokens and why it is in or out. */
  public static void printItems(WindowExplanation explanation, Terminal terminal) {
    RecordTable.of(WindowExplanation.ExplanationItem.class)
        .column("N", item -> Integer.toString(item.number()))
        .column("SECTION", WindowExplanation.ExplanationItem::section)
        .column("KIND", item -> item.sourceType().lowerCaseName())
        .column("SCORE", item -> String.format(Locale.ROOT, "%.3f", item.scores().score()))
        .column("TOKENS", WindowExplanation.ExplanationItem::tokens)
        .column("REASON", WindowExplanation.ExplanationItem::words)
        .column("ID", WindowExplanation.ExplanationItem::sourceId)
        .print(
            Stream.of(explanation.inclusions(), explanation.shortened(), explanation.exclusions())
                .flatMap(List::stream)
                .sorted(Comparator.comparingInt(WindowExplanation.ExplanationItem::number))
                .toList(),
            terminal);
  }

  private static String budgetBar(int tokens, int total) {
    int cells =
        (int) Math.round((double) Math.max(0, tokens) * BAR_CELLS_BOUND / Math.max(1, total));
    return "█".repeat(cells) + "░".repeat(BAR_CELLS_BOUND - cells);
  }

  /** A difference of two windows, and its kind. */
  private record DifferenceRow(String change, WindowDiff.RecordDifference difference) {}

  private static Stream<DifferenceRow> rows(
      String change, List<WindowDiff.RecordDifference> differences) {
    return differences.stream().map(one -> new DifferenceRow(change, one));
  }

  private void print(WindowDiff diff) {
    Terminal terminal = commandContext.terminal();
    diff.inputs()
        .forEach(
            (name, values) ->
                terminal.printLine(
                    "%s: %s, then %s".formatted(name, values.getFirst(), values.getLast())));
    if (diff.isEmpty()) {
      terminal.printLine("The same items at the same positions with the same tokens.");
      return;
    }
    RecordTable.of(DifferenceRow.class)
        .column("CHANGE", DifferenceRow::change)
        .column("SECTION", row -> row.difference().candidate().section())
        .column("KIND", row -> row.difference().candidate().kind().lowerCaseName())
        .column("TOKENS", row -> row.difference().before())
        .column("OTHER TOKENS", row -> row.difference().after())
        .column("REASON", row -> row.difference().why())
        .column("ID", row -> row.difference().candidate().id())
        .print(
            Stream.of(
                    rows("in", diff.added()),
                    rows("out", diff.removed()),
                    rows("changed", diff.changed()),
                    rows("resized", diff.resized()),
                    rows("moved", diff.moved()))
                .flatMap(all -> all)
                .toList(),
            terminal);
  }
}
