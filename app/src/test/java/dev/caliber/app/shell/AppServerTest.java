package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.client.CaliberClient;
import dev.caliber.client.CaliberClientException;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of commands beside a server, and of a server that is stopped or killed. */
@Timeout(240)
class AppServerTest {
  private static final int WRITERS = 8;
  private static final int ENOUGH = 200;

  @TempDir Path directory;

  private static JsonNode json(Ran ran) {
    assertThat(ran.code()).as(ran.err()).isZero();
    return Json.read(ran.out().strip(), JsonNode.class);
  }

  private static List<String> texts(JsonNode recalled) {
    return recalled.path("hits").valueStream().map(hit -> hit.path("text").asString()).toList();
  }

  @Test
  @DisplayName("API-07: commands give the same answers with a server and without")
  void commandsTalkToTheServer() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    String window;
    JsonNode recalled;
    JsonNode explained;
    String replayed;
    try (ServerProcess server = ServerProcess.start(directory)) {
      assertThat(
              json(shell.run("remember", "I prefer tea", "--subject", "alice", "--json"))
                  .path("note")
                  .path("type")
                  .asString())
          .isEqualTo("PREFERENCE");
      json(shell.run("remember", "Where is my tea?", "--session", "s1", "--json"));
      recalled = json(shell.run("recall", "tea", "--json", "--subject", "alice"));
      window = json(shell.run("assemble", "s1", "--json")).path("window").path("id").asString();
      explained = json(shell.run("explain", window, "--json"));
      replayed = shell.run("explain", window, "--replay").out();
      Ran unknown = shell.run("explain", "01JD0000000000000000000000");
      assertThat(unknown.code()).isEqualTo(ExitCode.NOT_FOUND.number());
      assertThat(unknown.err()).contains("UNKNOWN_WINDOW");
      assertThat(shell.run("stats").err()).contains("STORE_IN_USE");
      assertThat(server.stop()).isEqualTo(143);
    }
    assertThat(directory.resolve("caliber-data/server.json")).doesNotExist();
    assertThat(texts(json(shell.run("recall", "tea", "--json", "--subject", "alice"))))
        .isEqualTo(texts(recalled))
        .isNotEmpty();
    assertThat(json(shell.run("explain", window, "--json"))).isEqualTo(explained);
    assertThat(shell.run("explain", window, "--replay").out()).isEqualTo(replayed);
    assertThat(json(shell.run("forget", "--subject", "alice", "--json")).path("records"))
        .hasSize(1);
  }

  @Test
  @DisplayName("DEP-02: commands create, list and revoke keys, with a server and without")
  void keysAreKept() throws IOException {
    Shell shell = new Shell(directory);
    Ran made = shell.run("keys", "create", "ci", "--right", "write", "--spaces", "default");
    assertThat(made.code()).as(made.err()).isZero();
    String secret = made.out().strip();
    assertThat(secret).startsWith("cal_");
    try (ServerProcess server = ServerProcess.start(directory);
        CaliberClient client = CaliberClient.of(server.address())) {
      assertThat(client.withKey(secret).remember("Hello").path("note").path("id").asString())
          .isNotEmpty();
      assertThat(shell.run("keys", "list").out()).contains("ci", "good").doesNotContain(secret);
      assertThat(shell.run("keys", "revoke", secret.split("_", -1)[1]).code()).isZero();
      org.assertj.core.api.Assertions.assertThatThrownBy(
              () -> client.withKey(secret).recall("Hello"))
          .isInstanceOfSatisfying(
              CaliberClientException.class, problem -> assertThat(problem.status()).isEqualTo(401));
    }
  }

  @Test
  @DisplayName("no write acknowledged over HTTP is lost when the server is killed")
  void nothingAcknowledgedIsLost() throws IOException, InterruptedException {
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    CountDownLatch enough = new CountDownLatch(ENOUGH);
    List<Thread> writers = new ArrayList<>();
    try (ServerProcess server = ServerProcess.start(directory)) {
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(
            Thread.ofVirtual()
                .name("writer-" + i)
                .start(() -> write(server, writer, acknowledged, enough)));
      }
      enough.await();
      server.kill();
      for (Thread writer : writers) {
        writer.join();
      }
    }
    Set<String> found = ConcurrentHashMap.newKeySet();
    try (ServerProcess again = ServerProcess.start(directory);
        CaliberClient client = CaliberClient.of(again.address())) {
      JsonNode page = client.get("/notes");
      page.path("items").forEach(note -> found.add(note.path("id").asString()));
      while (page.has("next")) {
        page =
            client.get(
                "/notes?cursor=" + CaliberClient.encodePathSegment(page.path("next").asString()));
        page.path("items").forEach(note -> found.add(note.path("id").asString()));
      }
    }
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ENOUGH);
    assertThat(found).containsAll(acknowledged);
  }

  private static void write(
      ServerProcess server, int writer, Set<String> acknowledged, CountDownLatch enough) {
    try (CaliberClient client = CaliberClient.of(server.address())) {
      for (int i = 0; true; i++) {
        String about = "w%d-%d".formatted(writer, i);
        JsonNode note =
            client
                .post(
                    "/remember",
                    CaliberClient.emptyObject().put("text", "Note " + about).put("about", about))
                .path("note");
        acknowledged.add(note.path("id").asString());
        enough.countDown();
      }
    } catch (CaliberClientException gone) {
      assertThat(gone.status()).isEqualTo(CaliberClientException.UNREACHABLE);
    }
  }

  @Test
  @DisplayName("API-06: the curl lines of the README and of docs/server.md run and are answered")
  void theReadmeIsTrue() throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("caliber.root"));
    String pages =
        Files.readString(root.resolve("README.md"))
            + Files.readString(root.resolve("docs/server.md"));
    Matcher block = Pattern.compile("```bash\\n(curl [^`]*)```").matcher(pages);
    try (ServerProcess server = ServerProcess.start(directory)) {
      int lines = 0;
      while (block.find()) {
        String script =
            block.group(1).replace("http://127.0.0.1:7700", server.address().toString());
        Process curl =
            new ProcessBuilder(
                    "bash", "-e", "-c", script.replace("curl ", "curl -sS --fail-with-body "))
                .redirectErrorStream(true)
                .start();
        String answer =
            new String(
                curl.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(curl.waitFor()).as(script + answer).isZero();
        lines++;
      }
      assertThat(lines).isPositive();
    }
  }
}
