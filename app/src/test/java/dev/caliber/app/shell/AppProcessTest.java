package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.shell.Shell.Ran;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the program as a process: exit codes, streams, and the first line of the log. */
class AppProcessTest {
  @TempDir Path directory;

  @Test
  void aWrongCommandLineEndsWithTwo() throws IOException, InterruptedException {
    Ran ran = new Shell(directory).runAsProcess("stats", "--colour");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).hasLineCount(1).startsWith("caliber: CALIBER_VALIDATION_USAGE: ");
  }

  @Test
  void theFirstLogLineNamesTheStarterVersionAndItsHash() throws IOException, InterruptedException {
    Ran ran = new Shell(directory).runAsProcess("spaces", "create", "team-a", "--json");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).isEqualTo("{\"space\":\"team-a\",\"is_new\":true}\n");
    assertThat(ran.err().lines().findFirst().orElseThrow())
        .matches(".*Configuration: the starter version \\([0-9a-f]{64}\\)");
  }

  @Test
  void anUnknownSettingEndsWithSeventyEightAndNoTrace() throws IOException, InterruptedException {
    Path file = directory.resolve("mine.toml");
    Files.writeString(file, "[store.writes]\ngroup-limt = 64\n");
    Ran ran = new Shell(directory).runAsProcess("stats", "--config", "mine.toml");
    assertThat(ran.code()).isEqualTo(78);
    assertThat(ran.err())
        .hasLineCount(1)
        .contains(file + ":", "store.writes.group-limit")
        .doesNotContain("\tat ");
  }

  @Test
  void aNamedFileIsInTheLogAndTheErrorBelowIt() throws IOException, InterruptedException {
    Files.writeString(directory.resolve("caliber.toml"), AppConfig.starterText());
    Ran ran = new Shell(directory).runAsProcess("feed", "tail");
    assertThat(ran.code()).isEqualTo(66);
    assertThat(ran.err().lines())
        .satisfiesExactly(
            log ->
                assertThat(log)
                    .contains("Configuration: the starter version (")
                    .contains(", " + directory.resolve("caliber.toml") + " ("),
            error -> assertThat(error).startsWith("caliber: CALIBER_STORAGE_STORE_NOT_FOUND: "));
  }

  @Test
  void anExportOntoAFullDiskSaysSo() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    assertThat(shell.run("spaces", "create", "team-a").code()).isZero();
    Path full = Path.of("/dev/full");
    if (Files.exists(full)) {
      Ran ran = shell.runAsProcessInto(full, "export");
      assertThat(ran.code()).as(ran.err()).isEqualTo(ExitCode.UNAVAILABLE.number());
      assertThat(ran.err())
          .contains("caliber: CALIBER_VALIDATION_OUTPUT_FAILED: ")
          .doesNotContain("Exported");
    }
    assertThat(shell.runInto(new FullDisk(), "export")).isEqualTo(ExitCode.UNAVAILABLE.number());
  }

  private static final class FullDisk extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("No space left on device");
    }
  }
}
