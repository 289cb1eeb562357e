package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the two scripts promise before they do anything. */
class ScriptsTest {
  private static Command.Result verify(String... flags) {
    var command = new String[flags.length + 1];
    command[0] = House.root().resolve("verify").toString();
    System.arraycopy(flags, 0, command, 1, flags.length);
    return Command.in(Path.of("/")).run(command);
  }

  @Test
  @DisplayName(
      "OBS-12: the runner prints a decision matrix and a plan, and does nothing else when asked")
  void thePlanShowsTheMatrix() {
    var result = verify("--plan");
    assertThat(result.exit()).isZero();
    assertThat(result.output())
        .contains("Decision matrix", "TOOL", "FOUND", "WHAT FOLLOWS")
        .contains(
            "JDK 25+",
            "Maven 3.8.7+",
            "PostgreSQL 15+",
            "loop device, ext4",
            "apt-get",
            "git",
            "flock")
        .contains("start a private PostgreSQL on a free loopback port (--db)")
        .doesNotContain("(--reset)", "Summary");
  }

  @Test
  @DisplayName("OBS-12: the flags --db, --all, --reset and --fuzz set what is planned")
  void theFlagsSetThePlan() {
    assertThat(verify("--plan", "--db", "--all", "--reset", "--fuzz").output())
        .contains(
            "(--db)",
            "long tests: included (--all)",
            "delete build outputs and the private PostgreSQL (--reset)",
            "FUZZ=1")
        .doesNotContain("postgres,");
  }

  @Test
  @DisplayName("launchers set nothing that the JVM refuses beside an AOT cache")
  void launchersFitTheirCaches() {
    for (String launcher : new String[] {"caliber", "app/src/dist/bin/caliber"}) {
      assertThat(House.text(House.root().resolve(launcher)))
          .as(launcher)
          .contains("-XX:AOTCache=")
          .doesNotContain("-Xshare");
    }
  }

  @Test
  @DisplayName("OBS-12: an unknown flag is refused and says where help is")
  void anUnknownFlagIsRefused() {
    var result = verify("--everything");
    assertThat(result.exit()).isEqualTo(64);
    assertThat(result.output()).contains("unknown flag '--everything'", "./verify --help");
  }

  @Test
  @DisplayName("OBS-12: the help teaches every flag with examples")
  void theHelpTeaches() {
    assertThat(verify("--help").output())
        .contains(
            "--db",
            "--embedded",
            "--all",
            "--reset",
            "--fuzz",
            "--fuzz-runs N",
            "--gates",
            "--plan",
            "Examples");
  }

  @Test
  @DisplayName("OBS-10: fuzzing runs 10,000 cases unless told otherwise")
  void fuzzingHasADefault() {
    assertThat(verify("--plan", "--fuzz").output())
        .contains("fuzz: FUZZ=1 FUZZ_RUNS=10000", "-Djqwik.tries.default=10000");
    assertThat(verify("--plan").output())
        .contains("fuzz: off")
        .doesNotContain("jqwik.tries.default");
  }

  @Test
  @DisplayName("OBS-10: --fuzz-runs and FUZZ=1 FUZZ_RUNS reach the property tests")
  void fuzzRunsReachTheTests() {
    assertThat(verify("--plan", "--fuzz-runs", "77").output())
        .contains("-DFUZZ=1 -DFUZZ_RUNS=77 -Djqwik.tries.default=77");
    var result =
        Command.in(House.root())
            .with("FUZZ", "1")
            .with("FUZZ_RUNS", "55")
            .run("bash", "./verify", "--plan");
    assertThat(result.output()).contains("-Djqwik.tries.default=55");
  }

  @ParameterizedTest
  @DisplayName("OBS-10: a number of runs that is none is refused")
  @ValueSource(strings = {"many", "0", "-5", ""})
  void badFuzzRunsAreRefused(String runs) {
    assertThat(verify("--plan", "--fuzz-runs", runs).exit()).isEqualTo(64);
  }

  @Test
  @DisplayName("ARC-09: all modules are tested without a database, and packaged, by one flag")
  void theEmbeddedPlanUsesNoDatabase() {
    assertThat(verify("--embedded", "--plan").output())
        .contains(
            "no database is used",
            "-DexcludedGroups=postgres",
            "package all modules",
            "./caliber --version");
  }

  @Test
  @DisplayName("ARC-09: the store-backed tests are their own part of the plan")
  void theDatabasePlanStartsAServer() {
    assertThat(verify("--plan").output())
        .contains("private PostgreSQL")
        .doesNotContain("excludedGroups=postgres");
  }

  @Test
  @DisplayName("ARC-09: without a JDK the launcher says how to get one, and ends with 69")
  void theLauncherSaysHowToGetAJdk(@TempDir Path empty) {
    var result =
        Command.in(empty)
            .with("PATH", empty.toString())
            .with("JAVA_HOME", "")
            .with("CALIBER_JAVA_HOME", empty.toString())
            .with("CALIBER_JVM_DIRECTORIES", "")
            .run("/bin/bash", House.root().resolve("caliber").toString(), "demo");
    assertThat(result.exit()).isEqualTo(69);
    assertThat(result.output())
        .contains("needs a JDK 25 or newer", "apt-get install", "brew install", "CALIBER_JAVA_HOME")
        .doesNotContain("command not found");
  }

  @Test
  @DisplayName("ARC-09: the launcher finds its home through links and from any directory")
  void theLauncherFollowsLinks(@TempDir Path empty) throws IOException {
    var first = Files.createSymbolicLink(empty.resolve("first"), House.root().resolve("caliber"));
    var second =
        Files.createSymbolicLink(empty.resolve("second"), Path.of(first.getFileName().toString()));
    var result =
        Command.in(Path.of("/"))
            .with("JAVA_HOME", "")
            .with("CALIBER_JAVA_HOME", empty.toString())
            .with("CALIBER_JVM_DIRECTORIES", "")
            .with("PATH", "/usr/bin:/bin")
            .with("CALIBER_NO_BUILD", "1")
            .run("/bin/bash", second.toString(), "--version");
    assertThat(result.output()).doesNotContain("common.sh");
  }
}
