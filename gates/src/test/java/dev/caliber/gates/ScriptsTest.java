package dev.caliber.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
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

  @Test
  @DisplayName("a launcher that has to build first leaves standard output to the program")
  void theLauncherLeavesStandardOutputAlone(@TempDir Path home) throws IOException {
    for (String part : List.of("caliber", ".build/common.sh")) {
      Files.createDirectories(Objects.requireNonNull(home.resolve(part).getParent()));
      Files.copy(House.root().resolve(part), home.resolve(part));
    }
    Files.createDirectories(home.resolve("app/src/main"));
    Files.writeString(home.resolve("app/src/main/source"), "what is built");
    Path jdk = home.resolve("jdk");
    program(jdk.resolve("bin/java"), "echo '{\"jsonrpc\": \"2.0\"}'");
    program(jdk.resolve("bin/javac"), "true");
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
    program(
        home.resolve("bin/mvn"), "echo built; echo warned >&2; mkdir -p {app,bench}/target/lib");
    var result =
        Command.in(home)
            .with("CALIBER_JAVA_HOME", jdk.toString())
            .with("CALIBER_NO_BUILD", "")
            .with("PATH", home.resolve("bin") + ":/usr/bin:/bin")
            .run("/bin/bash", "-c", "/bin/bash ./caliber mcp 2>said.txt");
    assertThat(home.resolve("said.txt")).content().contains("Building Caliber", "Preparing");
    assertThat(result.exit()).isZero();
    assertThat(result.output()).isEqualTo("{\"jsonrpc\": \"2.0\"}\n");
  }

  private static void program(Path file, String line) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, "#!/bin/bash\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
