package dev.caliber.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.app.shell.Shell.Ran;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests of windows through the server that holds the store. */
@Timeout(240)
@NullMarked
class AppContextBesideServerTest {
  private static final String THEN = "Where is my tea?";
  private static final String LATER = "Forget the tea.";

  @TempDir Path directory;

  private static String done(Ran ran) {
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out();
  }

  private static JsonNode json(Ran ran) {
    return Json.read(done(ran), JsonNode.class);
  }

  private static Instant time(JsonNode record, String field) {
    return Instant.parse(record.path(field).asString());
  }

  @Test
  @DisplayName("the same time gives the same window again after the server was killed")
  void sameWindowAfterAKill() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    String[] asOf;
    String before;
    try (ServerProcess server = ServerProcess.start(directory)) {
      JsonNode turn = json(shell.run("remember", THEN, "--session", "s1", "--json")).path("turn");
      String then = time(turn, "created_at").toString();
      asOf = new String[] {"assemble", "s1", "--dry-run", "--as-of", then};
      before = done(shell.run(asOf));
      done(shell.run("remember", LATER, "--session", "s1"));
      assertThat(done(shell.run("assemble", "s1", "--dry-run"))).contains(LATER);
      assertThat(done(shell.run(asOf))).isEqualTo(before).contains(THEN);
      server.kill();
    }
    assertThat(done(shell.run(asOf))).isEqualTo(before);
    assertThat(done(shell.run("assemble", "s1", "--dry-run"))).contains(LATER);
  }

  @Test
  @DisplayName("a server keeps a window for a time, for good, or not at all, as the command says")
  void persistence() throws IOException {
    Shell shell = new Shell(directory);
    try (ServerProcess _ = ServerProcess.start(directory)) {
      done(shell.run("remember", THEN, "--session", "s1"));
      JsonNode timed = json(shell.run("assemble", "s1", "--ttl", "2h", "--json")).path("window");
      assertThat(Duration.between(time(timed, "assembled_at"), time(timed, "expires_at")))
          .isEqualTo(Duration.ofHours(2));
      JsonNode kept = json(shell.run("assemble", "s1", "--persistence", "permanent", "--json"));
      assertThat(kept.path("window").has("expires_at")).isFalse();
      done(shell.run("explain", kept.at("/window/id").asString()));
      JsonNode gone = json(shell.run("assemble", "s1", "--persistence", "ephemeral", "--json"));
      assertThat(shell.run("explain", gone.at("/window/id").asString()).err())
          .contains("UNKNOWN_WINDOW");
    }
  }

  @Test
  @DisplayName("what a server cannot do is refused, and not left out")
  void wordsAlone() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    try (ServerProcess server = ServerProcess.start(directory)) {
      done(shell.run("remember", THEN, "--session", "s1"));
      for (Ran ran :
          List.of(
              shell.run("assemble", "s1", "--query", "tea", "--lexical"),
              shell.run("recall", "tea", "--lexical"))) {
        assertThat(ran.err())
            .contains("OPTION_NOT_APPLICABLE", "--lexical cannot be used while a server holds");
        assertThat(ran.code()).isEqualTo(ExitCode.INVALID.number());
        assertThat(ran.out()).isEmpty();
      }
      assertThat(done(shell.run("assemble", "s1", "--lexical"))).contains(THEN);
      server.kill();
    }
    assertThat(done(shell.run("assemble", "s1", "--query", "tea", "--lexical"))).contains(THEN);
    assertThat(done(shell.run("recall", "tea", "--lexical"))).contains(THEN);
  }

  @Test
  @DisplayName("a window of another trajectory is not validated, with a server and without")
  void windowsOfOthers() throws IOException, InterruptedException {
    Shell shell = new Shell(directory);
    String window;
    String refusal;
    try (ServerProcess server = ServerProcess.start(directory)) {
      done(shell.run("remember", THEN, "--session", "s1"));
      done(shell.run("remember", LATER, "--session", "s2"));
      window = json(shell.run("assemble", "s1", "--json")).at("/window/id").asString();
      done(shell.run("validate", "s1", "--window", window));
      refusal = refused(shell.run("validate", "s2", "--window", window));
      assertThat(refused(shell.run("validate", "s2", "--window", window, "--resolve")))
          .isEqualTo(refusal);
      server.kill();
    }
    done(shell.run("validate", "s1", "--window", window));
    assertThat(refused(shell.run("validate", "s2", "--window", window))).isEqualTo(refusal);
    assertThat(shell.run("validate", "absent", "--window", window).err())
        .contains("No session 'absent'");
    assertThat(shell.run("validate", "s1", "--window", "w").err())
        .contains("'w' is not the id of a window");
  }

  @Test
  @DisplayName("windows are listed and answers annotated the same with a server and without")
  void looks() throws IOException, InterruptedException {
    Shell shell = new Shell(directory).typing("Where is my tea [1]? It is on the moon [7].");
    String[] annotate;
    String annotated;
    String listed;
    try (ServerProcess server = ServerProcess.start(directory)) {
      done(shell.run("remember", THEN, "--session", "s1"));
      String window = json(shell.run("assemble", "s1", "--json")).at("/window/id").asString();
      done(shell.run("assemble", "s1", "--ttl", "90d"));
      listed = done(shell.run("windows", "s1"));
      assertThat(listed.lines()).hasSize(3);
      assertThat(done(shell.run("windows", "s1", "--limit", "1")).lines()).hasSize(2);
      assertThat(shell.run("windows", window).code()).isEqualTo(ExitCode.NOT_FOUND.number());
      annotate = new String[] {"annotate", window, "--json"};
      annotated = madeUp(shell.run(annotate));
      Shell talker = new Shell(directory).typing("long ".repeat(1 << 18));
      assertThat(talker.run(annotate).code()).isEqualTo(ExitCode.LIMIT.number());
      assertThat(talker.run(annotate).err()).contains("memory.limits.turn");
      server.kill();
    }
    assertThat(done(shell.run("windows", "s1"))).isEqualTo(listed);
    assertThat(madeUp(shell.run(annotate))).isEqualTo(annotated);
  }

  private static String madeUp(Ran ran) {
    assertThat(ran.code()).as(ran.err()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.out()).contains("\"standing\":\"CITED\"", "\"fabricated\":[7]");
    return ran.out();
  }

  private static String refused(Ran ran) {
    assertThat(ran.code()).isEqualTo(ExitCode.INVALID.number());
    assertThat(ran.err())
        .contains("WINDOW_OF_OTHER_TRAJECTORY", "window: expected a window of trajectory");
    return ran.err()
        .lines()
        .filter(line -> line.contains("WINDOW_OF_OTHER_TRAJECTORY"))
        .findFirst()
        .get();
  }
}
