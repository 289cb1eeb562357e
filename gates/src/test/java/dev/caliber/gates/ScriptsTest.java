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

/** Tests of the two scripts: their help, plans and errors. */
class ScriptsTest {
  private static ShellCommand.ShellCommandResult runVerify(String... flags) {
    var command = new String[flags.length + 1];
    command[0] = Repository.root().resolve("verify").toString();
    System.arraycopy(flags, 0, command, 1, flags.length);
    return ShellCommand.inDirectory(Path.of("/")).run(command);
  }

  @Test
  @DisplayName("OBS-12: --plan prints a decision matrix and a plan, and does nothing else")
  void thePlanShowsTheMatrix() {
    var shellCommandResult = runVerify("--plan");
    assertThat(shellCommandResult.exit()).isZero();
    assertThat(shellCommandResult.output())
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
  @DisplayName("OBS-12: the flags --db, --all, --reset and --fuzz determine the plan")
  void theFlagsSetThePlan() {
    assertThat(runVerify("--plan", "--db", "--all", "--reset", "--fuzz").output())
        .contains(
            "(--db)",
            "long tests: included (--all)",
            "delete build outputs and the private PostgreSQL (--reset)",
            "FUZZ=1")
        .doesNotContain("postgres,");
  }

  @Test
  @DisplayName("OBS-12: --quick leaves out every slow lane, and says so")
  void aQuickRunLeavesOutSlowLanes() {
    assertThat(runVerify("--plan", "--quick").output())
        .contains("-DexcludedGroups=postgres,long,drill,fuzz,power-cut,node,browser")
        .contains("leave out drills, fuzzing, browser, npm and demonstrations of gates (--quick)")
        .doesNotContain("let Jazzer search", "start a private");
  }

  @ParameterizedTest
  @DisplayName("OBS-12: --quick is refused beside a flag that asks for more")
  @ValueSource(strings = {"--thorough", "--all", "--fuzz", "--fuzz-minutes=1"})
  void aQuickRunIsNotMore(String flag) {
    assertThat(runVerify("--plan", "--quick", flag).exit()).isEqualTo(64);
  }

  @Test
  @DisplayName("OBS-12: --thorough and --all run every case, round and world")
  void aThoroughRunRunsAll() {
    String whole = "-Dcaliber.thorough=true -Djqwik.tries.default=1000";
    assertThat(runVerify("--plan", "--thorough").output()).contains(whole, "long tests: left out");
    assertThat(runVerify("--plan", "--all").output()).contains(whole, "long tests: included");
    assertThat(runVerify("--plan").output())
        .doesNotContain(whole)
        .contains("fewer cases, rounds and worlds (--thorough runs all)");
  }

  @Test
  @DisplayName("launchers set no option that the JVM refuses with an AOT cache")
  void launchersFitTheirCaches() {
    for (String launcher : new String[] {"caliber", "app/src/dist/bin/caliber"}) {
      assertThat(Repository.text(Repository.root().resolve(launcher)))
          .as(launcher)
          .contains("-XX:AOTCache=")
          .doesNotContain("-Xshare");
    }
  }

  @Test
  @DisplayName("OBS-12: an unknown flag is refused with a pointer to the help")
  void anUnknownFlagIsRefused() {
    var shellCommandResult = runVerify("--everything");
    assertThat(shellCommandResult.exit()).isEqualTo(64);
    assertThat(shellCommandResult.output())
        .contains("unknown flag '--everything'", "./verify --help");
  }

  @Test
  @DisplayName("OBS-12: the help explains every flag with examples")
  void theHelpTeaches() {
    assertThat(runVerify("--help").output())
        .contains(
            "--db",
            "--embedded",
            "--quick",
            "--thorough",
            "--all",
            "--reset",
            "--fuzz",
            "--fuzz-runs N",
            "--gates",
            "--plan",
            "Examples");
  }

  @Test
  @DisplayName("OBS-10: fuzzing runs 10,000 cases by default")
  void fuzzingHasADefault() {
    assertThat(runVerify("--plan", "--fuzz").output())
        .contains("fuzz: FUZZ=1 FUZZ_RUNS=10000", "-Djqwik.tries.default=10000");
    assertThat(runVerify("--plan").output())
        .contains("fuzz: off")
        .doesNotContain("jqwik.tries.default");
  }

  @Test
  @DisplayName("OBS-10: --fuzz-runs and FUZZ=1 FUZZ_RUNS reach the property tests")
  void fuzzRunsReachTheTests() {
    assertThat(runVerify("--plan", "--fuzz-runs", "77").output())
        .contains("-DFUZZ=1 -DFUZZ_RUNS=77 -Djqwik.tries.default=77");
    var shellCommandResult =
        ShellCommand.inDirectory(Repository.root())
            .withVariable("FUZZ", "1")
            .withVariable("FUZZ_RUNS", "55")
            .run("bash", "./verify", "--plan");
    assertThat(shellCommandResult.output()).contains("-Djqwik.tries.default=55");
  }

  @ParameterizedTest
  @DisplayName("OBS-10: an invalid number of runs is refused")
  @ValueSource(strings = {"many", "0", "-5", ""})
  void badFuzzRunsAreRefused(String runs) {
    assertThat(runVerify("--plan", "--fuzz-runs", runs).exit()).isEqualTo(64);
  }

  @Test
  @DisplayName("ARC-09: one flag tests all modules without a database, and packages them")
  void theEmbeddedPlanUsesNoDatabase() {
    assertThat(runVerify("--embedded", "--plan").output())
        .contains(
            "no database is used",
            "-DexcludedGroups=postgres",
            "package all modules",
            "./caliber --version");
  }

  @Test
  @DisplayName("ARC-09: the store-backed tests are a separate part of the plan")
  void theDatabasePlanStartsAServer() {
    assertThat(runVerify("--plan").output())
        .contains("private PostgreSQL")
        .doesNotContain("excludedGroups=postgres");
  }

  @Test
  @DisplayName("ARC-09: without a JDK the launcher says how to get one, and ends with 69")
  void theLauncherSaysHowToGetAJdk(@TempDir Path empty) {
    var shellCommandResult =
        ShellCommand.inDirectory(empty)
            .withVariable("PATH", empty.toString())
            .withVariable("JAVA_HOME", "")
            .withVariable("CALIBER_JAVA_HOME", empty.toString())
            .withVariable("CALIBER_JVM_DIRECTORIES", "")
            .run("/bin/bash", Repository.root().resolve("caliber").toString(), "demo");
    assertThat(shellCommandResult.exit()).isEqualTo(69);
    assertThat(shellCommandResult.output())
        .contains("needs a JDK 25 or newer", "apt-get install", "brew install", "CALIBER_JAVA_HOME")
        .doesNotContain("command not found");
  }

  @Test
  @DisplayName("ARC-09: the launcher finds its home through links and from any directory")
  void theLauncherFollowsLinks(@TempDir Path empty) throws IOException {
    var first =
        Files.createSymbolicLink(empty.resolve("first"), Repository.root().resolve("caliber"));
    var second =
        Files.createSymbolicLink(empty.resolve("second"), Path.of(first.getFileName().toString()));
    var shellCommandResult =
        ShellCommand.inDirectory(Path.of("/"))
            .withVariable("JAVA_HOME", "")
            .withVariable("CALIBER_JAVA_HOME", empty.toString())
            .withVariable("CALIBER_JVM_DIRECTORIES", "")
            .withVariable("PATH", "/usr/bin:/bin")
            .withVariable("CALIBER_NO_BUILD", "1")
            .run("/bin/bash", second.toString(), "--version");
    assertThat(shellCommandResult.output()).doesNotContain("common.sh");
  }

  @Test
  @DisplayName("a launcher that has to build first leaves standard output to the program")
  void theLauncherLeavesStandardOutputAlone(@TempDir Path home) throws IOException {
    for (String part : List.of("caliber", ".build/common.sh")) {
      Files.createDirectories(Objects.requireNonNull(home.resolve(part).getParent()));
      Files.copy(Repository.root().resolve(part), home.resolve(part));
    }
    Files.createDirectories(home.resolve("app/src/main"));
    Files.writeString(home.resolve("app/src/main/source"), "what is built");
    Path jdk = home.resolve("jdk");
    writeProgram(jdk.resolve("bin/java"), "echo '{\"jsonrpc\": \"2.0\"}'");
    writeProgram(jdk.resolve("bin/javac"), "true");
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
    writeProgram(
        home.resolve("bin/mvn"), "echo built; echo warned >&2; mkdir -p {app,bench}/target/lib");
    var shellCommandResult =
        ShellCommand.inDirectory(home)
            .withVariable("CALIBER_JAVA_HOME", jdk.toString())
            .withVariable("CALIBER_NO_BUILD", "")
            .withVariable("PATH", home.resolve("bin") + ":/usr/bin:/bin")
            .run("/bin/bash", "-c", "/bin/bash ./caliber mcp 2>said.txt");
    assertThat(home.resolve("said.txt")).content().contains("Building Caliber", "Preparing");
    assertThat(shellCommandResult.exit()).isZero();
    assertThat(shellCommandResult.output()).isEqualTo("{\"jsonrpc\": \"2.0\"}\n");
  }

  private static void writeProgram(Path file, String line) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, "#!/bin/bash\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
