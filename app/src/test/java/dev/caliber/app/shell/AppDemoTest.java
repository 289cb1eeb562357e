package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.demo.DemoReporter;
import dev.caliber.app.shell.Shell.Ran;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that every statement of the demo holds, and that it leaves no files behind. */
class AppDemoTest {
  @TempDir Path directory;

  @Test
  void everyCheckHoldsAndTheStoreIsKeptWhenAsked() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    Ran ran = shell.runAsProcess("demo", "--check", "--writes", "300", "--directory", "kept");
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.out())
        .contains("[ok]", "What to try next", "checks hold")
        .doesNotContain("[BROKEN]");
    assertThat(ran.err()).doesNotContain("Exception in thread", "\tat ");
    assertThat(shell.run("doctor", "--data", "kept/store").code()).isZero();
    assertThat(shell.run("turns", "thread-1", "--space", "night", "--data", "kept/store").out())
        .contains("Message 1 of thread 1.");
    assertThat(shell.run("export", "--data", "kept/restored").out()).contains("Message 1.");
  }

  @Test
  void theStoryShowsAWindowWithItsLedgerAndNoListOfChecks()
      throws IOException, InterruptedException {
    Ran ran = new Shell(directory).runAsProcess("demo", "--writes", "50");
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.out())
        .contains("I prefer window seats", "SECTION", "contradicts", "forgotten", "checks hold")
        .doesNotContain("[ok]", "[BROKEN]");
  }

  @Test
  void withoutATerminalAndAsJsonItIsTheSame() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    Path temporary = java.nio.file.Files.createDirectory(directory.resolve("tmp"));
    Ran ran =
        shell
            .with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary)
            .runAsProcess("demo", "--json", "--check", "--writes", "50");
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.out().lines())
        .allMatch(line -> line.startsWith("{"))
        .last()
        .asString()
        .contains("\"broken\":0");
    try (var left = java.nio.file.Files.list(temporary)) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("caliber-demo")))
          .isEmpty();
    }
  }

  @Test
  @org.junit.jupiter.api.DisplayName("API-07: the demo's memory is served afterwards if asked for")
  void servesItsMemory() throws IOException, InterruptedException {
    java.nio.file.Files.writeString(
        directory.resolve(AppConfig.FILE_NAME),
        AppConfig.starterText().replaceFirst("(?m)^provider = .*$", "provider = \"hash\""));
    Process demo =
        new Shell(directory)
            .start(
                ProcessBuilder.Redirect.INHERIT,
                "demo",
                "--serve",
                "--port",
                "0",
                "--writes",
                "50",
                "--json");
    try (var out =
            new java.io.BufferedReader(
                new java.io.InputStreamReader(
                    demo.getInputStream(), java.nio.charset.StandardCharsets.UTF_8));
        var client = java.net.http.HttpClient.newHttpClient()) {
      String line = out.readLine();
      while (line != null && !line.startsWith("{\"url\"")) {
        line = out.readLine();
      }
      String url = java.util.Objects.requireNonNull(line).replaceAll(".*\"(http[^\"]+)\".*", "$1");
      var tasks =
          client.send(
              java.net.http.HttpRequest.newBuilder(
                      java.net.URI.create(url + "/api/v1/trajectories"))
                  .build(),
              java.net.http.HttpResponse.BodyHandlers.ofString());
      assertThat(tasks.statusCode()).isEqualTo(200);
      assertThat(tasks.body()).contains("\"status\"");
    } finally {
      demo.destroy();
      assertThat(demo.waitFor()).isEqualTo(143);
    }
  }

  @Test
  void aDirectoryWithSomethingInItIsNotTouched() throws IOException {
    Path file = java.nio.file.Files.writeString(directory.resolve("mine.txt"), "mine");
    Ran ran = new Shell(directory).run("demo", "--directory", ".");
    assertThat(ran.code()).isEqualTo(ExitCode.CONFLICT.number());
    assertThat(file).hasContent("mine");
    assertThat(directory.resolve("store")).doesNotExist();
  }

  @Test
  void aClaimThatDoesNotHoldIsSaidAndCounted() {
    var out = new java.io.ByteArrayOutputStream();
    var stream = new java.io.PrintStream(out, true, java.nio.charset.StandardCharsets.UTF_8);
    DemoReporter stage =
        new DemoReporter(new CommandOutput(Terminal.of(stream, stream), false), false);
    stage.beginPart("A part");
    stage.check("the moon is of stone", true);
    stage.check("the moon is of cheese", false);
    assertThat(stage.finish()).isFalse();
    assertThat(out.toString(java.nio.charset.StandardCharsets.UTF_8))
        .contains("[BROKEN] the moon is of cheese", "1 of 2 checks do NOT hold");
  }
}
