package dev.caliber.app;

import dev.caliber.kernel.Timestamps;
import dev.caliber.store.Commit;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the demo's story and keeps count of what was claimed and what held. */
final class DemoStage {
  private final Output output;
  private final List<Claim> claims = new ArrayList<>();
  private @Nullable String title;
  private int parts;
  private int held;
  private int broken;

  DemoStage(Output output) {
    this.output = output;
  }

  private record Claim(String claim, boolean holds) {}

  private record Part(int part, String title, List<Claim> claims) {}

  private record Outcome(int claims, int held, int broken) {}

  /** Begins a part of the story. */
  void part(String newTitle) {
    endPart();
    title = newTitle;
    parts++;
    if (!output.json()) {
      output.terminal().line("");
      output.terminal().line(output.terminal().bold("%d. %s".formatted(parts, newTitle)));
    }
  }

  void say(String text) {
    if (!output.json()) {
      text.lines().forEach(line -> output.terminal().line("   " + line));
    }
  }

  /** Shows an entry of the feed. */
  void show(Commit commit) {
    say("  commit %d at %s".formatted(commit.sequence(), Timestamps.format(commit.time())));
    FeedTailCommand.changes(commit).forEach(change -> say("    " + change));
  }

  /** States what has just been looked up, whether it is so or not. */
  void check(String claim, boolean holds) {
    claims.add(new Claim(claim, holds));
    if (holds) {
      held++;
    } else {
      broken++;
    }
    if (!output.json()) {
      Terminal terminal = output.terminal();
      String mark = holds ? terminal.good("[ok]") : terminal.bad("[BROKEN]");
      terminal.line("   %s %s".formatted(mark, claim));
    }
  }

  /** Ends the story; false if any claim did not hold. */
  boolean end() {
    endPart();
    output.result(
        new Outcome(held + broken, held, broken),
        () -> {
          output.terminal().line("");
          output
              .terminal()
              .line(
                  broken == 0
                      ? "All %d checks hold.".formatted(held)
                      : "%d of %d checks do NOT hold.".formatted(broken, held + broken));
        });
    return broken == 0;
  }

  private record Listening(String url) {}

  /** What to open while the demo's memory is served. */
  void listening(URI address) {
    output.result(
        new Listening(address.toString()),
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
    if (title != null && output.json()) {
      Part part = new Part(parts, title, List.copyOf(claims));
      output.result(part, "");
    }
    claims.clear();
    title = null;
  }
}
