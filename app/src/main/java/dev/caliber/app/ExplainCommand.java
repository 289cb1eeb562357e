package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.context.Explanation;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.context.WindowDiff;
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
      "Shows the ledger of a window that 'caliber assemble' has kept: how the sections used the"
          + " budget, and every candidate with its score, its tokens and the reason.",
      "--replay makes the text again, to the byte, or says what of it is gone. --diff says what"
          + " another window has that this one has not, and why."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  caliber explain 01JD0000000000000000000000",
      "  caliber explain 01JD0000000000000000000000 --json",
      "  caliber explain 01JD0000000000000000000000 --diff 01JD0000000000000000000001",
    })
final class ExplainCommand implements Callable<Integer> {
  private static final int BAR_CELLS_BOUND = 40;

  private final Workbench workbench;

  @Parameters(paramLabel = "WINDOW", description = "The window's id.")
  private String window = "";

  @Option(names = "--diff", paramLabel = "WINDOW", description = "The other window's id.")
  private Optional<String> other = Optional.empty();

  @Option(names = "--replay", description = "Print the window's text, made again.")
  private boolean replay;

  ExplainCommand(Workbench workbench) {
    this.workbench = workbench;
  }

  private record Replayed(String window, String text) {}

  @Override
  public Integer call() {
    Optional<Remote> server = workbench.server();
    if (server.isPresent()) {
      try (Remote remote = server.get()) {
        ask(remote, "/windows/" + OpenContext.window(window));
      }
      return ExitCode.OK.number();
    }
    SpaceId space = workbench.space();
    try (OpenContext context = OpenContext.of(workbench, false)) {
      Window found = context.assembler().window(space, OpenContext.window(window));
      if (replay) {
        String text = context.assembler().replay(space, found);
        workbench.output().result(new Replayed(found.id().toString(), text), text.stripTrailing());
      } else if (other.isPresent()) {
        Window second = context.assembler().window(space, OpenContext.window(other.get()));
        WindowDiff diff = context.assembler().diff(space, found, second);
        workbench.output().result(diff, () -> print(diff));
      } else {
        Explanation told = Explanation.of(found);
        workbench.output().result(told, () -> print(told));
      }
    }
    return ExitCode.OK.number();
  }

  private void ask(Remote remote, String path) {
    if (replay) {
      Replayed text = remote.get(path + "/replay", Replayed.class);
      workbench.output().result(text, text.text().stripTrailing());
    } else if (other.isPresent()) {
      WindowDiff diff =
          remote.get(path + "/diff/" + OpenContext.window(other.get()), WindowDiff.class);
      workbench.output().result(diff, () -> print(diff));
    } else {
      Window found = remote.get(path, Window.class);
      Explanation told = Explanation.of(found);
      workbench.output().result(told, () -> print(told));
    }
  }

  private void print(Explanation told) {
    Terminal terminal = workbench.terminal();
    terminal.line(
        "%,d of %,d tokens (counter: %s)%s"
            .formatted(
                told.budget().used(),
                told.budget().total(),
                told.counter(),
                told.degraded().map(reason -> "; " + reason).orElse("")));
    TextTable sections = TextTable.of("SECTION", "TOKENS", "SHARE");
    told.budget()
        .bySection()
        .forEach(
            (name, tokens) ->
                sections.row(name, Output.number(tokens), bar(tokens, told.budget().total())));
    sections.print(terminal);
    terminal.line("");
    TextTable items = TextTable.of("N", "SECTION", "KIND", "SCORE", "TOKENS", "WHY", "ID");
    Stream.of(told.inclusions(), told.shortened(), told.exclusions())
        .flatMap(List::stream)
        .sorted(java.util.Comparator.comparingInt(Explanation.Item::number))
        .forEach(item -> row(items, item));
    items.print(terminal);
    told.rest().forEach((section, more) -> terminal.note(section + ": " + more));
  }

  private static void row(TextTable items, Explanation.Item item) {
    items.row(
        Integer.toString(item.number()),
        item.section(),
        item.sourceType().word(),
        String.format(Locale.ROOT, "%.3f", item.scores().score()),
        Output.number(item.tokens()),
        item.words(),
        item.sourceId().toString());
  }

  private static String bar(int tokens, int total) {
    int cells =
        (int) Math.round((double) Math.max(0, tokens) * BAR_CELLS_BOUND / Math.max(1, total));
    return "█".repeat(cells) + "░".repeat(BAR_CELLS_BOUND - cells);
  }

  private void print(WindowDiff diff) {
    Terminal terminal = workbench.terminal();
    diff.inputs()
        .forEach(
            (name, values) ->
                terminal.line(
                    "%s: %s, then %s".formatted(name, values.getFirst(), values.getLast())));
    if (diff.isEmpty()) {
      terminal.line("The same items, in the same places, with the same tokens.");
      return;
    }
    TextTable table = TextTable.of("CHANGE", "SECTION", "KIND", "TOKENS", "THEN", "WHY", "ID");
    diff.added().forEach(change -> row(table, "in", change));
    diff.removed().forEach(change -> row(table, "out", change));
    diff.changed().forEach(change -> row(table, "changed", change));
    diff.resized().forEach(change -> row(table, "resized", change));
    diff.moved().forEach(change -> row(table, "moved", change));
    table.print(terminal);
  }

  private static void row(TextTable table, String what, WindowDiff.Change change) {
    table.row(
        what,
        change.candidate().section(),
        change.candidate().kind().word(),
        Output.number(change.before()),
        Output.number(change.after()),
        change.why(),
        change.candidate().id().toString());
  }
}
