package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The records and names that a call with a subject may read, write and use. */
@Timeout(120)
class SubjectRulesTest {
  private static final String DENIED = "CALIBER_VALIDATION_SUBJECT_DENIED";

  @TempDir private Path directory;
  private TestServer server;
  private SubjectWorld alice;
  private SubjectWorld bob;
  private String key;

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
    alice = SubjectWorld.of(server, "alice");
    bob = SubjectWorld.of(server, "bob");
    key =
        server
            .post("/keys", "{\"name\": \"bob\", \"right\": \"WRITE\", \"subject\": \"bob\"}")
            .text("secret");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Reply asBob(String path, String json) {
    return server.send(authorized(TestServer.json(server.request(path), json.replace('\'', '"'))));
  }

  private HttpRequest.Builder authorized(HttpRequest.Builder request) {
    return request.header("Authorization", "Bearer " + key);
  }

  private Reply post(String path, String json) {
    return server.post(path, json.replace('\'', '"'));
  }

  @Test
  @DisplayName("a recall that names a subject answers that subject's records and shared ones")
  void recallOfASubject() {
    post("/remember", "{'text': 'The secret of the house is sharedword', 'about': 'house'}");
    String found = post("/recall", "{'query': 'secret', 'subject': 'bob'}").body().toString();
    assertThat(bob.isQuotedIn(found)).isTrue();
    assertThat(alice.isQuotedIn(found)).isFalse();
    assertThat(found).contains("sharedword");
    String all = post("/recall", "{'query': 'secret', 'limit': 50}").body().toString();
    assertThat(bob.isQuotedIn(all) && alice.isQuotedIn(all)).isTrue();
  }

  @Test
  @DisplayName("the answer to turns of a session has the notes of the user's statements")
  void appendedTurnsSayTheirNotes() {
    Reply said =
        post(
            "/sessions/trip/turns",
            "{'turns': [{'role': 'USER', 'text': 'I live in Lyon near the old town.'}]}");
    assertThat(said.body().path("items")).hasSize(1);
    assertThat(said.body().path("notes")).hasSize(1);
    assertThat(said.body().path("notes").get(0).path("content").asString())
        .isEqualTo("I live in Lyon near the old town.");
  }

  @Test
  @DisplayName("the next session of a name is that of the subject of the one that has ended")
  void theNextSessionKeepsItsSubject() {
    String first =
        server
            .get("/trajectories?session=" + bob.session())
            .body()
            .path("items")
            .get(0)
            .path("id")
            .asString();
    assertThat(post("/trajectories/%s/complete".formatted(first), "{}").status()).isEqualTo(200);
    String next =
        post(
                "/sessions/%s/turns".formatted(bob.session()),
                "{'turns': [{'role': 'USER', 'text': 'I am back.'}]}")
            .body()
            .path("items")
            .get(0)
            .path("trajectory")
            .asString();
    assertThat(next).isNotEqualTo(first);
    assertThat(server.get("/trajectories/" + next).body().path("labels").path("subject").asString())
        .isEqualTo("bob");
  }

  @Test
  @DisplayName("a window of bob's session holds nothing of alice's")
  void windowOfASession() {
    Reply window =
        post(
            "/context/assemble",
            "{'session': '%s', 'query': 'What is the secret?'}".formatted(bob.session()));
    assertThat(bob.isQuotedIn(window.text("text"))).isTrue();
    assertThat(alice.isQuotedIn(window.body().toString())).isFalse();
    Reply other =
        post(
            "/context/assemble",
            "{'session': '%s', 'subject': 'bob', 'query': 'x'}".formatted(alice.session()));
    assertThat(other.text("code")).endsWith("SUBJECT_MISMATCH");
  }

  @Test
  @DisplayName("other subjects are read where the call names them, and the audit log says so")
  void namedSubjectsAreAudited() {
    Reply found =
        post(
            "/recall", "{'query': 'secret', 'subject': 'bob', 'subjects': ['alice'], 'limit': 50}");
    assertThat(alice.isQuotedIn(found.body().toString())).isTrue();
    post(
        "/context/assemble",
        "{'session': '%s', 'query': 'secret', 'subjects': ['*']}".formatted(bob.session()));
    List<String> entries =
        server
            .get("/audit")
            .body()
            .path("items")
            .valueStream()
            .filter(entry -> entry.has("subjects"))
            .map(entry -> entry.path("operation").asString() + entry.path("subjects"))
            .toList();
    assertThat(entries).contains("recall[\"alice\"]", "assemble_context[\"*\"]");
  }

  @Test
  @DisplayName("a key with a subject names no other subject and reads no stream of the space")
  void boundKeyNamesNoOther() {
    assertThat(asBob("/recall", "{'query': 'x', 'subject': 'alice'}").text("code"))
        .isEqualTo(DENIED);
    assertThat(asBob("/recall", "{'query': 'x', 'subjects': ['*']}").text("code"))
        .isEqualTo(DENIED);
    assertThat(asBob("/remember", "{'text': 'x', 'subject': 'alice'}").text("code"))
        .isEqualTo(DENIED);
    Reply session = asBob("/remember", "{'text': 'x', 'session': '%s'}".formatted(alice.session()));
    assertThat(session.text("code")).isEqualTo(DENIED);
    Reply header =
        server.send(authorized(server.request("/notes").GET()).header("Caliber-Subject", "alice"));
    assertThat(header.text("code")).isEqualTo(DENIED);
    assertThat(server.send(authorized(server.request("/events").GET())).status()).isEqualTo(403);
    Reply admin = post("/keys", "{'name': 'x', 'right': 'ADMIN', 'subject': 'bob'}");
    assertThat(admin.status()).isEqualTo(400);
  }

  @Test
  @DisplayName("a record written with a subject's key belongs to that subject")
  void writesAreOwn() {
    Reply note = asBob("/remember", "{'text': 'I like plums'}");
    assertThat(note.text("note", "labels", "subject")).isEqualTo("bob");
    Reply turn = asBob("/remember", "{'text': 'I like figs', 'session': 'new'}");
    assertThat(turn.text("turn", "labels", "subject")).isEqualTo("bob");
    JsonNode hit = asBob("/recall", "{'query': 'figs', 'session': 'new'}").body().at("/hits/0");
    assertThat(hit.path("kind").asString()).isEqualTo("TURN");
    assertThat(hit.path("subject").asString()).isEqualTo("bob");
    assertThat(hit.path("session").asString()).isEqualTo("new");
    assertThat(hit.path("role").asString()).isEqualTo("USER");
    assertThat(hit.path("why").asString()).startsWith("The record contains 'figs' of the query");
  }

  @Test
  @DisplayName("a key with a subject changes and forgets no record of the whole space")
  void sharedRecordsStay() {
    String shared =
        post("/remember", "{'text': 'The house is red', 'about': 'house'}").text("note", "id");
    assertThat(server.send(authorized(server.request("/notes/" + shared).GET())).status())
        .isEqualTo(200);
    assertThat(
            asBob("/notes/%s/end".formatted(shared), "{'end': '2100-01-01T00:00:00Z'}")
                .text("code"))
        .isEqualTo(DENIED);
    assertThat(asBob("/forget", "{'id': '%s'}".formatted(shared)).text("code")).isEqualTo(DENIED);
    assertThat(asBob("/forget", "{'types': ['NOTE']}").status()).isEqualTo(200);
    assertThat(server.get("/notes/" + shared).status()).isEqualTo(200);
    assertThat(alice.isQuotedIn(server.get("/notes").body().toString())).isTrue();
    assertThat(bob.isQuotedIn(server.get("/notes").body().toString())).isFalse();
  }

  @Test
  @DisplayName("a promoted note is everybody's, and a key with a subject cannot promote")
  void promotion() {
    String note =
        post("/remember", "{'text': 'The gate code is 99', 'subject': 'alice'}").text("note", "id");
    assertThat(server.send(authorized(server.request("/notes/" + note).GET())).status())
        .isEqualTo(404);
    assertThat(asBob("/promote", "{'id': '%s'}".formatted(note)).text("code")).isEqualTo(DENIED);
    assertThat(post("/promote", "{'id': '%s'}".formatted(note)).status()).isEqualTo(200);
    assertThat(server.send(authorized(server.request("/notes/" + note).GET())).status())
        .isEqualTo(200);
  }

  @Test
  @DisplayName("the audit log names the record that was promoted or forgotten")
  void auditNamesTheRecord() {
    String note =
        post("/remember", "{'text': 'The gate code is 99', 'subject': 'alice'}").text("note", "id");
    post("/promote", "{'id': '%s'}".formatted(note));
    post("/forget", "{'id': '%s'}".formatted(note));
    List<String> entries =
        server
            .get("/audit")
            .body()
            .path("items")
            .valueStream()
            .map(
                entry ->
                    entry.path("operation").asString() + " " + entry.path("record").asString(""))
            .toList();
    assertThat(entries).contains("promote_record " + note, "forget " + note);
  }

  @Test
  @DisplayName(
      "a key with a subject forgets its own record by id, with what quotes it, and no other")
  void forgetsItsOwn() {
    String own = asBob("/remember", "{'text': 'I like plumcakes'}").text("note", "id");
    assertThat(asBob("/forget", "{'id': '%s'}".formatted(own)).status()).isEqualTo(200);
    assertThat(server.get("/notes/" + own).status()).isEqualTo(404);
    for (String id : alice.ids()) {
      assertThat(asBob("/forget", "{'id': '%s'}".formatted(id)).status()).isEqualTo(404);
    }
    assertThat(alice.lost()).isEmpty();
  }
}
