package dev.caliber.app.demo;

import dev.caliber.app.command.FeedTailCommand;
import dev.caliber.app.shell.CommandOutput;
import dev.caliber.app.shell.Terminal;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.Commit;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Prints the demo and counts its checks, passed and failed. */
public final class DemoReporter {
  private final CommandOutput commandOutput;
  private final boolean showsChecks;
  private final List<DemoCheckOutput> claims = new ArrayList<>();
  private @Nullable String title;
  private int parts;
  private int held;
  private int broken;

  /**
   * Reports on an output.
   *
   * @param showsChecks whether checks that hold are printed, too
   */
  public DemoReporter(CommandOutput commandOutput, boolean showsChecks) {
    this.commandOutput = commandOutput;
    this.showsChecks = showsChecks;
  }

  private record DemoCheckOutput(String claim, boolean holds) {}

  private record DemoPartOutput(int part, String title, List<DemoCheckOutput> claims) {}

  private record DemoOutput(int claims, int held, int broken) {}

  /** Begins a part of the demo. */
  public void beginPart(String newTitle) {
    endPart();
    title = newTitle;
    parts++;
    if (!commandOutput.json()) {
      commandOutput.terminal().printLine("");
      commandOutput
          .terminal()
          .printLine(commandOutput.terminal().bold("%d. %s".formatted(parts, newTitle)));
    }
  }

  void printText(String text) {
    if (!commandOutput.json()) {
      text.lines().forEach(line -> commandOutput.terminal().printLine("   " + line));
    }
  }

  /** Lets something print itself, for people. */
  void show(Consumer<Terminal> printer) {
    if (!commandOutput.json()) {
      printer.accept(commandOutput.terminal());
    }
  }

  /** Shows an entry of the feed. */
  void showCommit(Commit commit) {
    printText("  commit %d at %s".formatted(commit.sequence(), Timestamps.format(commit.time())));
    FeedTailCommand.changeLines(commit).forEach(change -> printText("    " + change));
  }

  /** Prints a check and its result. */
  public void check(String claim, boolean holds) {
    claims.add(new DemoCheckOutput(claim, holds));
    if (holds) {
      held++;
    } else {
      broken++;
    }
    if (!commandOutput.json() && (showsChecks || !holds)) {
      Terminal terminal = commandOutput.terminal();
      String mark = holds ? terminal.success("[ok]") : terminal.error("[BROKEN]");
      terminal.printLine("   %s %s".formatted(mark, claim));
    }
  }

  /** Prints the number of checks; returns false if one failed. */
  public boolean finish() {
    endPart();
    commandOutput.printResult(
        new DemoOutput(held + broken, held, broken),
        () -> {
          commandOutput.terminal().printLine("");
          commandOutput
              .terminal()
              .printLine(
                  broken == 0
                      ? "All %d checks hold%s."
                          .formatted(held, showsChecks ? "" : "; --check prints each of them")
                      : "%d of %d checks do NOT hold.".formatted(broken, held + broken));
        });
    return broken == 0;
  }

  private record DemoServerOutput(String url) {}

  /** Prints the addresses to open while the demo's memory is served. */
  void showServerAddress(URI address) {
    commandOutput.printResult(
        new DemoServerOutput(address.toString()),
        """

        Caliber serves this memory at %1$s. Ctrl-C stops it. Open or try:
          %1$s/                  a page for people
          %1$s/openapi.yaml      every operation
          curl -s %1$s/api/v1/trajectories
          curl -s %1$s/api/v1/remember -H 'Content-Type: application/json' -d '{"text": "I prefer tea"}'
          curl -s %1$s/api/v1/recall -H 'Content-Type: application/json' -d '{"query": "tea or coffee?"}'\
        """
            .formatted(address));
  }

  private void endPart() {
    if (title != null && commandOutput.json()) {
      DemoPartOutput demoPartOutput = new DemoPartOutput(parts, title, List.copyOf(claims));
      commandOutput.printResult(demoPartOutput, "");
    }
    claims.clear();
    title = null;
  }
}
