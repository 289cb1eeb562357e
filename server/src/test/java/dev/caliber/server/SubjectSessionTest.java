package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sessions that a call with a subject may write to, and the parts of a group that it reads. */
@Timeout(120)
class SubjectSessionTest {
  private static final String START =
      "{'operations': [{'operation': 'start_trajectory', 'input': {'goal': 'x', 'session': '%s'}}]}";

  @TempDir private Path directory;
  private SubjectServer app;

  @BeforeEach
  void start() {
    app = SubjectServer.of(TestServer.start(directory));
  }

  @AfterEach
  void stop() {
    app.close();
  }

  private Reply said(String subject, String session, String text) {
    String whose = subject.isEmpty() ? "" : ", 'subject': '%s'".formatted(subject);
    return app.post(
        "/remember", "{'text': '%s', 'session': '%s'%s}".formatted(text, session, whose));
  }

  private static void assertDenied(Reply reply) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(403);
    assertThat(reply.text("code")).isEqualTo(SubjectServer.DENIED);
  }

  @Test
  @DisplayName("a step of a commit takes over the name of no other subject's session")
  void aStepTakesNoName() {
    said("alice", "alice-chat", "Hello, I am Alice");
    assertDenied(app.as("bob", "/commit", START.formatted("alice-chat")));
    assertDenied(
        app.as(
            "bob",
            "/commit",
            "{'operations': [{'operation': 'append_turns', 'input': {'session': 'alice-chat',"
                + " 'turns': [{'role': 'USER', 'text': 'x'}]}}]}"));
    Reply next = said("", "alice-chat", "My PIN is 9999");
    assertThat(next.text("turn", "labels", "subject")).isEqualTo("alice");
    assertThat(app.recalledBy("bob", "PIN 9999")).isEmpty();
    assertThat(app.as("bob", "/commit", START.formatted("bobs-own")).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("of two subjects that begin a session of one name, exactly one is admitted")
  void oneOfTwoIsAdmitted() throws ExecutionException, InterruptedException {
    app.key("alice");
    app.key("bob");
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("racer-", 0).factory())) {
      for (int i = 0; i < 15; i++) {
        String turn = "{'text': 'hello', 'session': 'race-%d'}".formatted(i);
        Callable<Integer> alice = () -> app.as("alice", "/remember", turn).status();
        Callable<Integer> bob = () -> app.as("bob", "/remember", turn).status();
        Future<Integer> one = threads.submit(alice);
        Future<Integer> other = threads.submit(bob);
        assertThat(List.of(one.get(), other.get())).containsExactlyInAnyOrder(200, 403);
      }
    }
  }

  @Test
  @DisplayName("a call with a subject takes over no session that is shared, and nothing in it")
  void aSharedSessionStaysShared() {
    Reply shared = said("", "team-log", "I prefer that deployments happen on Tuesday");
    String note = shared.body().at("/notes/0/id").asString();
    String trajectory = shared.text("turn", "trajectory");
    String scope = shared.text("turn", "scope");
    assertDenied(app.as("bob", "/remember", "{'text': 'me too', 'session': 'team-log'}"));
    assertDenied(app.as("bob", "/commit", START.formatted("team-log")));
    String turns = "{'turns': [{'role': 'USER', 'text': 'me too'}]}";
    assertDenied(app.as("bob", "/scopes/%s/turns".formatted(scope), turns));
    String made = "{'artifacts': [{'type': 'FACT', 'text': 'mine'}]}";
    assertDenied(app.as("bob", "/scopes/%s/artifacts".formatted(scope), made));
    assertDenied(app.as("bob", "/scopes/%s/close".formatted(scope), "{}"));
    assertDenied(app.as("bob", "/trajectories/%s/scopes".formatted(trajectory), "{}"));
    assertDenied(app.as("bob", "/trajectories/%s/checkpoint".formatted(trajectory), "{}"));
    assertThat(app.getAs("alice", "/notes/" + note).status()).isEqualTo(200);
    assertThat(app.getAs("alice", "/trajectories/" + trajectory).status()).isEqualTo(200);
    assertThat(app.getAs("bob", "/trajectories/" + trajectory).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("the name of an ended session of another subject stays taken")
  void anEndedSessionKeepsItsName() {
    String trajectory = said("alice", "s3", "I am Alice").text("turn", "trajectory");
    app.post("/trajectories/%s/complete".formatted(trajectory), "{}");
    assertDenied(app.as("bob", "/remember", "{'text': 'mine now', 'session': 's3'}"));
    assertDenied(app.as("bob", "/commit", START.formatted("s3")));
  }

  @Test
  @DisplayName("a session that the application has started and left empty may get its first turn")
  void anEmptySessionIsFree() {
    app.post("/trajectories", "{'goal': 'Chat', 'session': 'fresh'}");
    Reply first = app.as("bob", "/remember", "{'text': 'I like figs', 'session': 'fresh'}");
    assertThat(first.text("turn", "labels", "subject")).isEqualTo("bob");
    assertDenied(app.as("alice", "/remember", "{'text': 'I too', 'session': 'fresh'}"));
  }

  private String group() {
    String id =
        app.post("/trajectories", "{'goal': 'Trip', 'session': 'grp', 'group': true}").text("id");
    said("alice", "grp", "I pay 500 in alicegold");
    return id;
  }

  @Test
  @DisplayName("in a group each subject writes its own turns, by key, by header and by MCP")
  void membersOfAGroupWrite() {
    group();
    Reply byKey = app.as("bob", "/remember", "{'text': 'I drive the bobcar', 'session': 'grp'}");
    assertThat(byKey.text("turn", "labels", "subject")).isEqualTo("bob");
    Reply byHeader =
        app.server()
            .send(
                TestServer.json(
                        app.server().request("/remember"),
                        "{\"text\": \"I cook\", \"session\": \"grp\"}")
                    .header("Caliber-Subject", "carol"));
    assertThat(byHeader.text("turn", "labels", "subject")).isEqualTo("carol");
    Reply byMcp =
        new McpCaller(app.server())
            .legacy(
                "tools/call",
                "{\"name\": \"remember\", \"arguments\":"
                    + " {\"text\": \"I sing\", \"session\": \"grp\", \"subject\": \"dora\"}}");
    assertThat(byMcp.body().at("/result/isError").asBoolean(false)).isFalse();
    assertThat(app.recalledBy("bob", "drive the bobcar"))
        .isNotEmpty()
        .containsOnly("I drive the bobcar");
    assertThat(said("", "grp", "Where to?").status()).isEqualTo(200);
  }

  @Test
  @DisplayName("a window of a group for one subject shows that subject's turns and shared ones")
  void windowOfAMember() {
    group();
    app.as("bob", "/remember", "{'text': 'I drive the bobcar', 'session': 'grp'}");
    said("", "grp", "Sharedword: we leave at eight");
    String wish = "{'session': 'grp', 'query': 'who pays'}";
    Reply byKey = app.as("bob", "/context/assemble", wish);
    Reply named =
        app.post("/context/assemble", "{'session': 'grp', 'query': 'who pays', 'subject': 'bob'}");
    for (Reply window : List.of(byKey, named)) {
      assertThat(window.text("text")).contains("bobcar").contains("Sharedword");
      assertThat(window.body().toString()).doesNotContain("alicegold");
    }
    assertThat(app.post("/context/assemble", wish).text("text")).contains("alicegold");
  }

  @Test
  @DisplayName("a summary of a group is shown to no call with a subject")
  void summariesOfAGroup() {
    String id = group();
    app.as("bob", "/remember", "{'text': 'I drive the bobcar', 'session': 'grp'}");
    String scope =
        app.server()
            .get("/trajectories/%s/scopes".formatted(id))
            .body()
            .at("/items/0/id")
            .asString();
    Reply closed = app.post("/scopes/%s/close".formatted(scope), "{}");
    assertThat(closed.body().toString()).contains("alicegold");
    app.as("bob", "/remember", "{'text': 'And the bobboat', 'session': 'grp'}");
    assertThat(app.getAs("bob", "/scopes/" + scope).status()).isEqualTo(404);
    assertThat(app.getAs("bob", "/trajectories/%s/scopes".formatted(id)).body().toString())
        .doesNotContain("alicegold");
    for (Reply window :
        List.of(
            app.as("bob", "/context/assemble", "{'session': 'grp', 'query': 'who pays'}"),
            app.post(
                "/context/assemble",
                "{'session': 'grp', 'query': 'who pays', 'subject': 'bob'}"))) {
      assertThat(window.text("text")).as(window.body().toString()).contains("bobboat");
      assertThat(window.body().toString()).doesNotContain("alicegold");
    }
    assertThat(
            app.post("/trajectories/%s/complete".formatted(id), "{'summary': 'alicegold'}")
                .status())
        .isEqualTo(200);
    assertThat(app.getAs("bob", "/trajectories/" + id).status()).isEqualTo(404);
    assertThat(app.recalledBy("bob", "drive the bobcar")).contains("I drive the bobcar");
    assertThat(app.recalledBy("bob", "the bobboat")).contains("And the bobboat");
    assertThat(app.recalledBy("bob", "alicegold")).noneMatch(text -> text.contains("alicegold"));
  }

  @Test
  @DisplayName("a member changes a group by its own turns alone")
  void membersDoNotChangeTheGroup() {
    String id = group();
    assertDenied(app.as("bob", "/trajectories/%s/complete".formatted(id), "{}"));
    assertDenied(app.as("bob", "/trajectories/%s/scopes".formatted(id), "{}"));
    assertDenied(app.as("bob", "/commit", START.formatted("grp")));
    app.post(
        "/sessions/grp/turns",
        "{'turns': [{'role': 'USER', 'text': 'named', 'subject': 'alice', 'external_id': 'm1'}]}");
    assertDenied(
        app.as(
            "bob",
            "/sessions/grp/turns",
            "{'turns': [{'role': 'USER', 'text': 'x', 'external_id': 'm1'}]}"));
  }
}
