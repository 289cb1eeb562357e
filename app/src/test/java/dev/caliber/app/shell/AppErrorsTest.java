package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.FailureReporter;
import dev.caliber.app.command.StatsCommand;
import dev.caliber.app.demo.DemoProcessKill;
import dev.caliber.app.shell.Shell.Ran;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that every error is one line with a code, a position and advice, and an exit code. */
class AppErrorsTest {
  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void open() {
    shell = new Shell(directory);
  }

  private static void assertOneLine(Ran ran, ExitCode code, String... parts) {
    assertThat(ran.err().lines()).as(ran.toString()).hasSize(1);
    assertThat(ran.err()).startsWith("caliber: CALIBER_").contains(parts);
    assertThat(ran.err()).doesNotContain("Exception", "\tat ");
    assertThat(ran.code()).isEqualTo(code.number());
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void anUnknownOptionNamesTheHelpOfItsCommand() {
    assertOneLine(
        shell.run("stats", "--colour"), ExitCode.USAGE, "--colour", "'caliber stats --help'");
  }

  @Test
  void anUnknownCommandNamesTheNearestOne() {
    assertOneLine(shell.run("statz"), ExitCode.USAGE, "Unknown command 'statz'", "stats");
  }

  @Test
  void aWordOfOtherToolsNamesTheCommandHere() {
    for (var word : Map.of("start", "serve", "add", "remember", "search", "recall").entrySet()) {
      assertOneLine(
          shell.run(word.getKey(), "x"),
          ExitCode.USAGE,
          "Unknown command '%s'".formatted(word.getKey()),
          "Did you mean %s?".formatted(word.getValue()));
    }
    assertOneLine(shell.run("help", "server"), ExitCode.USAGE, "Did you mean serve?");
    assertThat(shell.run("keys", "new").err()).doesNotContain("init");
  }

  @Test
  void wordsWithoutQuotesAreMoreThanItTakes() {
    assertOneLine(
        shell.run("remember", "I", "prefer", "tea"),
        ExitCode.USAGE,
        "Unexpected argument: 'prefer', 'tea'",
        "in quotes");
  }

  @Test
  void theVersionIsACommandToo() {
    assertThat(shell.run("version").out()).isEqualTo(shell.run("--version").out());
    assertThat(shell.run("version", "--json").out()).startsWith("{\"version\":\"caliber");
  }

  @Test
  void aGroupAloneNamesItsCommands() {
    assertOneLine(shell.run("spaces"), ExitCode.USAGE, "'list' or 'create'");
  }

  @Test
  void aMissingArgumentIsNamed() {
    assertOneLine(shell.run("spaces", "create"), ExitCode.USAGE, "NAME");
  }

  @Test
  @DisplayName("ARC-02: an unknown setting stops the command with a line that names it")
  void anUnknownSettingIsNamed() throws IOException {
    config("[store]\ndurabilty = \"full\"\n");
    assertOneLine(
        shell.run("stats"),
        ExitCode.CONFIGURATION,
        "CALIBER_CONFIG_INVALID_SETTING",
        directory.resolve("caliber.toml").toString() + ":2:1",
        "the nearest known one is store.durability");
  }

  @Test
  @DisplayName("ARC-02: several errors of a file are reported at once, one line each")
  void severalErrorsAreReportedAtOnce() throws IOException {
    config(
        AppConfig.starterText()
            .replaceAll("(?m)^durability = .*$", "durability = 3")
            .replace("group-limit = 64", "group-limit = \"many\"")
            .replaceFirst("queue-limit", "queue-limt"));
    Ran ran = shell.run("stats");
    assertThat(ran.code()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(ran.err().lines())
        .hasSize(3)
        .allMatch(line -> line.matches("caliber: CALIBER_CONFIG_[A-Z_]+: .*:\\d+:\\d+: .*"));
    assertThat(ran.err())
        .contains("store.durability", "group-limit", "queue-limt", "store.writes.queue-limit");
  }

  @Test
  void aConfigurationThatIsNotThereIsNamed() {
    assertOneLine(
        shell.run("stats", "--config", "absent.toml"),
        ExitCode.NOT_FOUND,
        directory.resolve("absent.toml").toString());
  }

  @Test
  void aDirectoryIsNoConfiguration() {
    assertOneLine(shell.run("stats", "--config", "."), ExitCode.INVALID, directory.toString());
  }

  @Test
  void aConfigurationThatIsNoTextIsRefused() throws IOException {
    Files.write(directory.resolve("caliber.toml"), new byte[] {(byte) 0xff, 0, (byte) 0xfe});
    assertOneLine(shell.run("stats"), ExitCode.INVALID, "not UTF-8 text", "caliber.toml");
  }

  @Test
  void aFileGivenAsDataIsNoStore() throws IOException {
    Path file = Files.writeString(directory.resolve("letter.txt"), "Dear store");
    assertOneLine(
        shell.run("stats", "--data", "letter.txt"),
        ExitCode.INVALID,
        "CALIBER_STORAGE_STORE_UNREADABLE",
        file.toString());
  }

  @Test
  void aDatabaseThatIsGarbageIsNoStore() throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(
        data.resolve(CommandContext.STORE_FILE), "not a database at all ".repeat(100));
    Ran ran = shell.run("stats", "--data", "data");
    assertThat(ran.code()).isNotZero();
    assertThat(ran.err().lines()).hasSize(1);
    assertThat(ran.err()).contains("caliber: CALIBER_STORAGE_", data.toString());
  }

  @Test
  void lookingMakesNoStore() {
    assertOneLine(
        shell.run("stats"),
        ExitCode.NOT_FOUND,
        "CALIBER_STORAGE_STORE_NOT_FOUND",
        directory.resolve("caliber-data").toString(),
        "caliber spaces create");
    assertThat(directory.resolve("caliber-data")).doesNotExist();
  }

  @Test
  void anUnknownSpaceIsNamed() {
    assertThat(shell.run("spaces", "create", "known").code()).isZero();
    assertOneLine(
        shell.run("jobs", "list", "--space", "unknown"),
        ExitCode.NOT_FOUND,
        "CALIBER_STORAGE_SPACE_NOT_FOUND",
        "'unknown'");
    assertOneLine(
        new Shell(directory).with("CALIBER_SPACE", "elsewhere").run("feed", "tail"),
        ExitCode.NOT_FOUND,
        "'elsewhere'");
  }

  @Test
  void aNameThatIsNoSpaceIsQuoted() {
    assertOneLine(shell.run("spaces", "create", "Team A"), ExitCode.INVALID, "'Team A'");
  }

  @Test
  void aServerThatDoesNotAnswerIsNamed() throws IOException {
    postgres();
    assertOneLine(
        shell.run("stats"),
        ExitCode.UNAVAILABLE,
        "CALIBER_STORAGE_UNREACHABLE",
        "127.0.0.1:1",
        "Check that the database server runs");
  }

  @Test
  void aPasswordInAnAddressIsNotShown() {
    assertThat(StatsCommand.withoutParameters("jdbc:postgresql://h:1/db?user=u&password=p"))
        .isEqualTo("jdbc:postgresql://h:1/db");
    assertThat(StatsCommand.withoutParameters("jdbc:postgresql://h/db"))
        .isEqualTo("jdbc:postgresql://h/db");
  }

  @Test
  void aDirectoryIsNoPlaceForRecordsOfAServer() throws IOException {
    postgres();
    assertOneLine(shell.run("stats", "--data", "x"), ExitCode.INVALID, "--data", "PostgreSQL");
  }

  @Test
  void aStoreInUseNamesItsHolder() throws IOException {
    config(
        AppConfig.starterText()
            .replace("store-lock-timeout = \"10s\"", "store-lock-timeout = \"1ms\""));
    Process holder =
        shell.start(ProcessBuilder.Redirect.DISCARD, "demo-writer", "caliber-data", "1");
    try (BufferedReader lines = holder.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo(DemoProcessKill.turnText(1, 1));
      assertOneLine(
          shell.run("stats"),
          ExitCode.CONFLICT,
          "CALIBER_STORAGE_STORE_IN_USE",
          "process " + holder.pid(),
          directory.resolve("caliber-data").toString());
    } finally {
      holder.destroyForcibly();
    }
  }

  @Test
  @DisplayName("four calls at once wait for each other, and each leaves its note")
  void callsTakeTurns() throws Exception {
    try (ExecutorService shells =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("shell-", 0).factory())) {
      List<Callable<Ran>> calls =
          IntStream.range(0, 4)
              .<Callable<Ran>>mapToObj(
                  i ->
                      () ->
                          shell.run(
                              "remember", "Room %d is painted.".formatted(i), "--entity", "r" + i))
              .toList();
      for (Future<Ran> call : shells.invokeAll(calls)) {
        assertThat(call.get().code()).as(call.get().err()).isZero();
      }
    }
    assertThat(shell.run("notes").out()).contains("Room 0", "Room 1", "Room 2", "Room 3");
  }

  @Test
  void anExistingConfigurationIsNotOverwritten() throws IOException {
    config("# mine");
    assertOneLine(shell.run("init"), ExitCode.CONFLICT, "caliber.toml", "not changed");
    assertThat(directory.resolve("caliber.toml")).hasContent("# mine");
  }

  @Test
  void aFileIsNoPlaceForAConfiguration() throws IOException {
    Files.writeString(directory.resolve("taken"), "mine");
    assertOneLine(shell.run("init", "taken"), ExitCode.CONFLICT, "taken");
    assertThat(directory.resolve("taken")).hasContent("mine");
  }

  @Test
  void anUnknownJobIsNamed() {
    assertThat(shell.run("spaces", "create", "known").code()).isZero();
    assertOneLine(
        shell.run("jobs", "retry", "01M7GMBTJ3E3V84C00K8H4HBMZ"),
        ExitCode.NOT_FOUND,
        "01M7GMBTJ3E3V84C00K8H4HBMZ");
    assertOneLine(shell.run("jobs", "retry", "seven"), ExitCode.INVALID, "'seven'");
  }

  @Test
  void aCommitThatIsNotThereYetIsRefused() {
    assertThat(shell.run("spaces", "create", "known").code()).isZero();
    assertOneLine(
        shell.run("feed", "tail", "--from-sequence", "9"),
        ExitCode.USAGE,
        "--from-sequence 9",
        "is 2");
    assertOneLine(
        shell.run("feed", "tail", "--from-sequence", "0"), ExitCode.USAGE, "--from-sequence 0");
    assertOneLine(shell.run("feed", "tail", "--from-sequence", "x"), ExitCode.USAGE, "'x'");
  }

  @Test
  void theTraceIsShownOnlyWhenAskedFor() {
    Ran ran = shell.run("stats", "--debug");
    assertThat(ran.code()).isEqualTo(ExitCode.NOT_FOUND.number());
    assertThat(ran.err()).contains("\tat dev.caliber.app.");
  }

  @Test
  void anUnexpectedErrorSaysHowToGetItsTrace() {
    var err = new java.io.ByteArrayOutputStream();
    var stream = new java.io.PrintStream(err, true, StandardCharsets.UTF_8);
    var failureReporter = new FailureReporter(Terminal.of(stream, stream), new CaliberCommand());
    assertThat(failureReporter.report(new IllegalStateException("two\nlines")))
        .isEqualTo(ExitCode.INTERNAL);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .hasLineCount(1)
        .startsWith("caliber: UNEXPECTED: IllegalStateException: two lines. ")
        .contains("--debug");
  }

  private void config(String text) throws IOException {
    Files.writeString(directory.resolve("caliber.toml"), text);
  }

  private void postgres() throws IOException {
    config(
        AppConfig.starterText()
            .replace("engine = \"sqlite\"", "engine = \"postgres\"")
            .replace("127.0.0.1:5432", "127.0.0.1:1")
            .replace("connect-timeout = \"10s\"", "connect-timeout = \"200ms\""));
  }
}
