package dev.caliber.app;

import dev.caliber.memory.context.Window;
import dev.caliber.memory.context.WindowDiff;
import dev.caliber.memory.context.WindowExplanation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code caliber explain}. */
@Command(
    name = "explain",
    header = "Say why each item of a window is in or out.",
    description = {
      "Shows the ledger of a stored window: how the sections used the budget, and every candidate"
          + " with its score, its tokens and the reason.",
      "--replay composes the text again, byte for byte, or lists the records that are gone. --diff"
          + " lists what another window has that this one has not, and why."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber explain 01JD0000000000000000000000",
      "  caliber explain 01JD0000000000000000000000 --json",
      "  caliber explain 01JD0000000000000000000000 --diff 01JD0000000000000000000001",
    })
final class ExplainCommand implements Callable<Integer> {
  private static final int BAR_CELLS_BOUND = 40;

  private final CommandContext commandContext;

  @Parameters(paramLabel = "WINDOW", description = "The window's id.")
  private String window = "";

  @Option(names = "--diff", paramLabel = "WINDOW", description = "The other window's id.")
  private Optional<String> other = Optional.empty();

  @Option(
      names = "--replay",
      description = "Print the window's text, composed again from its ledger.")
  private boolean replay;

  ExplainCommand(CommandContext commandContext) {
    this.commandContext = commandContext;
  }

  private record ReplayOutput(String window, String text) {}

  @Override
  public Integer call() {
    OperationInput input = OperationInput.of("id", RecordIdParser.parseWindow(window));
    CommandOutput output = commandContext.output();
    if (replay) {
      ReplayOutput text = commandContext.call("replay_window", input, ReplayOutput.class);
      output.printResult(text, text.text().stripTrailing());
    } else if (other.isPresent()) {
      input.with("other", RecordIdParser.parseWindow(other.get()));
      WindowDiff diff = commandContext.call("diff_windows", input, WindowDiff.class);
      output.printResult(diff, () -> print(diff));
    } else {
      WindowExplanation explanation =
          WindowExplanation.of(commandContext.call("get_window", input, Window.class));
      output.printResult(explanation, () -> print(explanation));
    }
    return ExitCode.OK.number();
  }

  private void print(WindowExplanation explanation) {
    Terminal terminal = commandContext.terminal();
    terminal.printLine(
        "%,d of %,d tokens (counter: %s)%s"
            .formatted(
                explanation.budget().used(),
                explanation.budget().total(),
                explanation.counter(),
                explanation.degraded().map(reason -> "; " + reason).orElse("")));
    TextTable sections = TextTable.of("SECTION", "TOKENS", "SHARE");
    explanation
        .budget()
        .bySection()
        .forEach(
            (name, tokens) ->
                sections.addRow(
                    name,
                    CommandOutput.formatNumber(tokens),
                    budgetBar(tokens, explanation.budget().total())));
    sections.print(terminal);
    terminal.printLine("");
    itemTable(explanation).print(terminal);
    explanation.rest().forEach((section, more) -> terminal.printNote(section + ": " + more));
  }

  /** Every candidate of a window, with its tokens and why it is in or out. */
  static TextTable itemTable(WindowExplanation explanation) {
    TextTable items = TextTable.of("N", "SECTION", "KIND", "SCORE", "TOKENS", "REASON", "ID");
    Stream.of(explanation.inclusions(), explanation.shortened(), explanation.exclusions())
        .flatMap(List::stream)
        .sorted(java.util.Comparator.comparingInt(WindowExplanation.ExplanationItem::number))
        .forEach(explanationItem -> addRow(items, explanationItem));
    return items;
  }

  private static void addRow(TextTable items, WindowExplanation.ExplanationItem explanationItem) {
    items.addRow(
        Integer.toString(explanationItem.number()),
        explanationItem.section(),
        explanationItem.sourceType().lowerCaseName(),
        String.format(Locale.ROOT, "%.3f", explanationItem.scores().score()),
        CommandOutput.formatNumber(explanationItem.tokens()),
        explanationItem.words(),
        explanationItem.sourceId().toString());
  }

  private static String budgetBar(int tokens, int total) {
    int cells =
        (int) Math.round((double) Math.max(0, tokens) * BAR_CELLS_BOUND / Math.max(1, total));
    return "█".repeat(cells) + "░".repeat(BAR_CELLS_BOUND - cells);
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
    TextTable table =
        TextTable.of("CHANGE", "SECTION", "KIND", "TOKENS", "OTHER TOKENS", "REASON", "ID");
    diff.added().forEach(recordDifference -> addRow(table, "in", recordDifference));
    diff.removed().forEach(recordDifference -> addRow(table, "out", recordDifference));
    diff.changed().forEach(recordDifference -> addRow(table, "changed", recordDifference));
    diff.resized().forEach(recordDifference -> addRow(table, "resized", recordDifference));
    diff.moved().forEach(recordDifference -> addRow(table, "moved", recordDifference));
    table.print(terminal);
  }

  private static void addRow(
      TextTable table, String what, WindowDiff.RecordDifference recordDifference) {
    table.addRow(
        what,
        recordDifference.candidate().section(),
        recordDifference.candidate().kind().lowerCaseName(),
        CommandOutput.formatNumber(recordDifference.before()),
        CommandOutput.formatNumber(recordDifference.after()),
        recordDifference.why(),
        recordDifference.candidate().id().toString());
  }
}
