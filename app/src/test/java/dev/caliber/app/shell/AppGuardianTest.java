package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of {@code caliber checkpoint}, {@code recover}, {@code validate}, {@code lint}, {@code
 * trace}, {@code cleanup}.
 */
class AppGuardianTest {
  @TempDir Path directory;

  private Shell shell = new Shell(Path.of(""));

  @BeforeEach
  void fill() {
    shell = new Shell(directory);
    say("Book the train to Oslo.");
  }

  private void say(String words) {
    assertThat(shell.run("remember", words, "--session", "t8").code()).isZero();
  }

  private String checkpoint() {
    var made = shell.run("checkpoint", "save", "t8");
    assertThat(made.code()).as(made.err()).isZero();
    Matcher found = Pattern.compile("Checkpoint (\\S+):").matcher(made.out());
    assertThat(found.find()).as(made.out()).isTrue();
    return found.group(1);
  }

  @Test
  @DisplayName(
      "PCP-13, REC-01, REC-04: save, list, preview, return; an unknown checkpoint has its code")
  void thereAndBack() {
    String point = checkpoint();
    assertThat(shell.run("checkpoint", "list", "t8").out()).contains(point, "ACTIVE");
    String before = shell.run("assemble", "t8", "--dry-run").out();
    say("Or should we walk?");
    var would = shell.run("recover", "t8");
    assertThat(would.out()).contains("Or should we walk?");
    assertThat(would.err()).contains("Use --yes to do it.");
    assertThat(shell.run("assemble", "t8", "--dry-run").out()).contains("walk");
    assertThat(shell.run("recover", "t8", "--checkpoint", point, "--yes").code()).isZero();
    assertThat(shell.run("assemble", "t8", "--dry-run").out()).isEqualTo(before);
    assertThat(shell.run("turns", "t8").out()).contains("train").doesNotContain("walk");
    assertThat(shell.run("turns", "t8", "--include", "rolled_back").out())
        .contains("train", "Or should we walk?");
    assertThat(shell.run("assemble", "t8", "--apply-limits", "--dry-run").out()).isEqualTo(before);
    var unknown = shell.run("recover", "t8", "--checkpoint", "01JD0000000000000000000000");
    assertThat(unknown.code()).isEqualTo(ExitCode.NOT_FOUND.number());
    assertThat(unknown.err()).contains("There is no such checkpoint");
    assertThat(shell.run("recover", "t8", "--yes", "--dry-run").code())
        .isEqualTo(ExitCode.INVALID.number());
  }

  @Test
  @DisplayName("PCP-13: a fork from a checkpoint")
  void forks() {
    String point = checkpoint();
    var fork = shell.run("checkpoint", "fork", point, "--goal", "Try it by boat");
    assertThat(fork.code()).isZero();
    String id = fork.out().strip().substring("Trajectory ".length());
    assertThat(shell.run("assemble", id, "--dry-run").out()).contains("Book the train to Oslo.");
    assertThat(shell.run("recover", id, "--checkpoint", point).code())
        .isEqualTo(ExitCode.INVALID.number());
  }

  @Test
  @DisplayName("PCP-24, PCP-03: with validation = always, the command lists problems of its window")
  void everyWindowIsValidated() throws IOException {
    Files.writeString(
        directory.resolve("caliber.toml"),
        AppConfig.starterText()
            .replace("validation = \"on-mutation\"", "validation = \"always\"")
            .replaceAll("(?m)^initial-confidence = .*$", "initial-confidence = 0.2"));
    assertThat(shell.run("remember", "Oslo is cold.", "--entity", "oslo").code()).isZero();
    for (String dosed : List.of("--dry-run", "--apply-limits")) {
      var made = shell.run("assemble", "t8", "--query", "Oslo cold", "--lexical", dosed);
      assertThat(made.code()).as(made.err()).isZero();
      assertThat(made.out()).contains("Oslo").doesNotContain("low_confidence");
      assertThat(made.err()).contains("info: low_confidence: ");
      assertThat(
              shell
                  .run("assemble", "t8", "--query", "Oslo cold", "--lexical", dosed, "--json")
                  .out())
          .contains("\"report\":{\"valid\":true,", "\"type\":\"LOW_CONFIDENCE\"");
    }
  }

  @Test
  @DisplayName("REC-11: clean-up prints its six counts")
  void cleansUp() {
    assertThat(shell.run("cleanup", "--json").out().strip())
        .isEqualTo(
            "{\"trajectories_failed\":0,\"scopes_closed\":0,\"context_windows_deleted\":0,"
                + "\"locks_released\":0,\"messages_deleted\":0,\"cache_entries_deleted\":0}");
    assertThat(shell.run("cleanup").out()).contains("locks released", "cached vectors deleted");
  }

  @Test
  @DisplayName("PCP-05, PCP-22, OBS-05: no issues, and the trace lists the events")
  void looks() {
    assertThat(shell.run("validate", "t8").err()).contains("No issues found.");
    assertThat(shell.run("validate", "t8", "--json").out())
        .contains("\"valid\":true", "\"issues\":[]");
    assertThat(shell.run("lint", "t8").code()).isZero();
    var trace = shell.run("trace", "t8");
    assertThat(trace.out()).contains("validation_run", "turn_appended", "trajectory_started");
    assertThat(trace.err()).contains("In total: 1 scopes");
    assertThat(shell.run("trace", "t8", "--type", "turn_appended", "--json").out())
        .contains("\"scopes_created\":1")
        .doesNotContain("validation_run");
    var none = shell.run("trace", "t8", "--type", "turn_apended");
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).contains("No event of type 'turn_apended'", "without --type");
  }
}
