package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of {@code caliber assemble} and {@code caliber explain}. */
class AppContextTest {
  @TempDir Path directory;

  private Shell shell = new Shell(Path.of(""));

  @BeforeEach
  void fill() {
    shell = new Shell(directory);
    say("user", "I would like to sit at the window.");
    say("assistant", "I have noted that.");
    say("user", "Which train leaves first?");
    assertThat(shell.run("remember", "Alice likes green tea.", "--entity", "alice").code())
        .isZero();
  }

  private void say(String role, String words) {
    assertThat(shell.run("remember", words, "--session", "t7", "--role", role).code()).isZero();
  }

  private static String window(String text) {
    Matcher found = Pattern.compile("Window (\\S+):").matcher(text);
    assertThat(found.find()).as(text).isTrue();
    return found.group(1);
  }

  @Test
  @DisplayName("CTX-01, OBS-06: a window is printed, explained, replayed and compared")
  void assembleAndExplain() {
    var made =
        shell.run("assemble", "t7", "--query", "green tea", "--lexical", "--model", "gpt-4o");
    assertThat(made.code()).isZero();
    assertThat(made.out()).contains("## conversation", "Which train leaves first?", "green tea");
    assertThat(made.err()).contains("counter: o200k_base");
    String id = window(made.err());
    var explained = shell.run("explain", id);
    assertThat(explained.out()).contains("SECTION", "conversation", "frame", "░", "included: ");
    assertThat(shell.run("explain", id, "--replay").out()).isEqualTo(made.out());
    assertThat(shell.run("explain", id, "--json").out()).contains("\"by_section\"");
    var small = shell.run("assemble", "t7", "--max-tokens", "60");
    var diff = shell.run("explain", window(small.err()), "--diff", id);
    assertThat(diff.out()).contains("budget: 60, then 8000", "CHANGE");
  }

  @Test
  @DisplayName("CTX-15, CTX-25: formats and dry runs")
  void formats() {
    var messages = shell.run("assemble", "t7", "--format", "openai", "--dry-run");
    assertThat(messages.out()).startsWith("[{\"role\":");
    assertThat(messages.err()).contains("Dry run");
    var trust =
        shell.run("assemble", "t7", "--query", "green tea", "--lexical", "--format", "trust");
    assertThat(trust.out())
        .startsWith("[{\"role\":\"system\",\"content\":\"Your sources are of three classes.")
        .contains(
            "History: alice (", "(Trust: Recorded, Unchecked, Score: ", "USER QUERY: green tea");
    assertThat(shell.run("explain", window(trust.err())).out()).contains("Recorded, Unchecked");
    assertThat(shell.run("assemble", "--help").out()).contains("trust", "stack_overflow");
    assertThat(shell.run("assemble", "t7", "--json", "--dry-run").out())
        .startsWith("{\"window\":{\"id\":");
  }

  @Test
  @DisplayName("CTX-01, CTX-02: refusals have their codes and name the option")
  void refusals() {
    for (String budget : List.of("9000", "0")) {
      var out = shell.run("assemble", "t7", "--max-tokens", budget);
      assertThat(out.code()).isEqualTo(ExitCode.INVALID.number());
      assertThat(out.err())
          .contains("BUDGET_OUT_OF_RANGE", "max_tokens: expected 1 to 8000", "found " + budget);
    }
    assertThat(shell.run("assemble", "t7", "--tokenizer", "klingon").err())
        .contains("UNKNOWN_TOKENIZER", "tokenizer: there is no tokenizer 'klingon'");
    assertThat(shell.run("assemble", "nobody").code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(shell.run("explain", "01JD0000000000000000000000").err()).contains("UNKNOWN_WINDOW");
  }

  private static JsonNode json(Shell.Ran ran) {
    assertThat(ran.code()).as(ran.err()).isZero();
    return Json.read(ran.out(), JsonNode.class);
  }

  @Test
  @DisplayName("a window as of an earlier time has no later records")
  void earlierTimes() {
    Instant then = ManualClock.START.plus(Duration.ofHours(1));
    String before = shell.run("assemble", "t7", "--as-of", then.toString(), "--dry-run").out();
    shell.at(then.plus(Duration.ofDays(1)));
    say("user", "Or shall we take the boat?");
    assertThat(shell.run("assemble", "t7", "--dry-run").out()).contains("boat");
    var made = shell.run("assemble", "t7", "--as-of", then.toString());
    assertThat(made.out()).isEqualTo(before).contains("Which train").doesNotContain("boat");
    assertThat(shell.run("explain", window(made.err()), "--replay").out()).isEqualTo(before);
    JsonNode day = json(shell.run("assemble", "t7", "--as-of", "2026-01-02", "--json"));
    assertThat(day.at("/window/inputs/as_of").asString()).startsWith("2026-01-02T00:00:00");
    var wrong = shell.run("assemble", "t7", "--as-of", "yesterday");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(wrong.err()).contains("--as-of: ", "As in 2026-03-01");
  }

  @Test
  @DisplayName("a window is kept for a time, for good, or not at all, as the call says")
  void persistence() {
    JsonNode timed = json(shell.run("assemble", "t7", "--ttl", "2h", "--json")).path("window");
    assertThat(Instant.parse(timed.path("expires_at").asString()))
        .isEqualTo(ManualClock.START.plus(Duration.ofHours(2)));
    JsonNode kept = json(shell.run("assemble", "t7", "--persistence", "permanent", "--json"));
    assertThat(kept.path("window").has("expires_at")).isFalse();
    String id = kept.at("/window/id").asString();
    assertThat(shell.run("explain", id).code()).isZero();
    var ephemeral = shell.run("assemble", "t7", "--persistence", "ephemeral");
    assertThat(ephemeral.err()).contains("Not stored: ").doesNotContain("Window ");
    JsonNode gone = json(shell.run("assemble", "t7", "--persistence", "ephemeral", "--json"));
    assertThat(shell.run("explain", gone.at("/window/id").asString()).err())
        .contains("UNKNOWN_WINDOW");
  }

  @Test
  @DisplayName("options that contradict each other about storing a window are refused")
  void persistenceThatIsNone() {
    for (String time : List.of("soon", "0s", "2", "36501d")) {
      var wrong = shell.run("assemble", "t7", "--ttl", time);
      assertThat(wrong.code()).as(time).isEqualTo(ExitCode.USAGE.number());
      assertThat(wrong.err()).contains("--ttl: ", "As in 90m, 2h or 30d.");
    }
    assertThat(shell.run("assemble", "t7", "--persistence", "ttl").code())
        .isEqualTo(ExitCode.USAGE.number());
    assertThat(shell.run("assemble", "t7", "--persistence", "permanent", "--ttl", "2h").err())
        .contains("OPTION_NOT_APPLICABLE", "--persistence cannot be combined with --ttl");
    assertThat(shell.run("assemble", "t7", "--ttl", "2h", "--dry-run").err())
        .contains(
            "OPTION_NOT_APPLICABLE", "--dry-run cannot be combined with --persistence or --ttl");
  }

  @Test
  @DisplayName("the stored windows of a trajectory are listed, newest first")
  void windows() {
    assertThat(shell.run("windows", "t7").err())
        .contains("No window of this trajectory is stored.");
    String first = window(shell.run("assemble", "t7", "--persistence", "permanent").err());
    shell.at(ManualClock.START.plus(Duration.ofMinutes(1)));
    String second =
        window(
            shell
                .run(
                    "assemble",
                    "t7",
                    "--ttl",
                    "2h",
                    "--max-tokens",
                    "900",
                    "--query",
                    "tea",
                    "--lexical")
                .err());
    shell.run("assemble", "t7", "--persistence", "ephemeral");
    var listed = shell.run("windows", "t7");
    assertThat(listed.out().lines())
        .satisfiesExactly(
            heading -> assertThat(heading).contains("WINDOW", "CREATED", "TOKENS", "EXPIRES"),
            row ->
                assertThat(row)
                    .startsWith(second)
                    .contains("2026-01-01T00:01:00", " of 900 ", "2026-01-01T02:01:00", "tea"),
            row -> assertThat(row).startsWith(first).contains(" of 8,000 ", "for good"));
    var newest = shell.run("windows", "t7", "--limit", "1");
    assertThat(newest.out()).contains(second).doesNotContain(first);
    assertThat(newest.err()).contains("The newest 1; there may be older ones.");
    JsonNode row = json(shell.run("windows", "t7", "--limit", "1", "--json"));
    assertThat(row.path("id").asString()).isEqualTo(second);
    assertThat(row.path("max_tokens").asInt()).isEqualTo(900);
    assertThat(row.path("used_tokens").asInt()).isPositive();
    assertThat(row.has("expires_at")).isTrue();
    assertThat(shell.run("windows", "01JD0000000000000000000000").code())
        .isEqualTo(ExitCode.NOT_FOUND.number());
    for (String none : List.of("0", "501")) {
      assertThat(shell.run("windows", "t7", "--limit", none).err())
          .contains("--limit: expected 1 to 500 (memory.limits.page-size), found " + none);
    }
  }
}
