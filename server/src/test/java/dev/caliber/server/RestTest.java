package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The most frequent operations over HTTP. */
class RestTest {
  @TempDir Path directory;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String session(String name, String text) {
    Reply said =
        server.post("/remember", "{\"text\": \"%s\", \"session\": \"%s\"}".formatted(text, name));
    assertThat(said.status()).isEqualTo(200);
    return said.text("turn", "trajectory");
  }

  @Test
  @DisplayName("API-08: a remembered text is recalled at once, and forgotten permanently")
  void remembersRecallsAndForgets() {
    Reply remembered =
        server.post("/remember", "{\"text\": \"I prefer window seats\", \"subject\": \"alice\"}");
    assertThat(remembered.status()).as(remembered.body().toString()).isEqualTo(200);
    assertThat(remembered.text("note", "type")).isEqualTo("PREFERENCE");
    Reply found = server.post("/recall", "{\"query\": \"window seat\", \"subject\": \"alice\"}");
    assertThat(found.body().path("hits").get(0).path("text").asString())
        .isEqualTo("I prefer window seats");
    assertThat(found.text("method")).isEqualTo("words and meaning");
    Reply would = server.post("/forget", "{\"subject\": \"alice\", \"dry_run\": true}");
    assertThat(would.body().path("records")).hasSize(1);
    assertThat(server.post("/forget", "{\"subject\": \"alice\"}").status()).isEqualTo(200);
    assertThat(found.body().has("explanation")).isFalse();
    Reply afterwards = server.post("/recall", "{\"query\": \"window seat\"}");
    assertThat(afterwards.body().path("hits")).isEmpty();
    assertThat(afterwards.text("explanation")).startsWith("Nothing relevant was found");
  }

  @Test
  @DisplayName("API-08: a slip in a filter's name is refused, and forgets nothing")
  void slips() {
    server.post("/remember", "{\"text\": \"I prefer window seats\", \"subject\": \"alice\"}");
    Reply slip = server.post("/forget", "{\"subject\": \"alice\", \"typs\": [\"FACT\"]}");
    assertThat(slip.status()).isEqualTo(400);
    assertThat(slip.text("pointer")).isEqualTo("/typs");
    assertThat(slip.text("detail")).contains("Did you mean 'types'?");
    Reply word = server.post("/trajectories", "{\"goal\": \"g\", \"deadline\": \"now\"}");
    assertThat(word.text("detail")).contains("The known properties are: ", "goal", "session");
    Reply inside =
        server.post(
            "/commit",
            "{\"operations\": [{\"operation\": \"remember\", \"input\":"
                + " {\"text\": \"x\", \"subjct\": \"bob\"}}]}");
    assertThat(inside.text("pointer")).isEqualTo("/operations/0/input/subjct");
    Reply kind =
        server.post(
            "/notes",
            "{\"entity\": \"x\", \"entity_type\": \"t\", \"content\": \"c\", \"type\": \"TRUTH\"}");
    assertThat(kind.text("pointer")).isEqualTo("/type");
    assertThat(kind.text("detail")).contains("Expected one of", "FACT", "PREFERENCE");
    assertThat(server.get("/notes").body().path("items")).hasSize(1);
  }

  @Test
  @DisplayName("API-04: a window is assembled, explained and replayed to the byte")
  void assemblesAndExplains() {
    String trajectory = session("thread-7", "Where is my parcel?");
    Reply made = server.post("/context/assemble", "{\"session\": \"thread-7\"}");
    assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
    assertThat(made.text("text")).contains("Where is my parcel?");
    assertThat(
            server
                .post(
                    "/context/assemble",
                    "{\"session\": \"thread-7\", \"keep\": \"PERMANENT\", \"ttl\": \"1h\"}")
                .text("pointer"))
        .isEqualTo("/ttl");
    String window = made.text("window", "id");
    assertThat(server.get("/windows/" + window + "/explain").body().path("inclusions"))
        .isNotEmpty();
    assertThat(server.get("/windows/" + window + "/replay").text("text"))
        .isEqualTo(made.text("text"));
    assertThat(server.get("/trajectories/" + trajectory + "/windows").body().path("items"))
        .hasSize(1);
    assertThat(server.get("/windows/%s/diff/%s".formatted(window, window)).body().path("added"))
        .isEmpty();
  }

  @Test
  @DisplayName("API-08: trajectories, scopes, turns, artifacts and notes have their operations")
  void worksOnATrajectory() {
    String id = server.post("/trajectories", "{\"goal\": \"Ship it\"}").text("id");
    String scope =
        server
            .get("/trajectories/%s/scopes".formatted(id))
            .body()
            .path("items")
            .get(0)
            .path("id")
            .asString();
    Reply turns =
        server.post(
            "/scopes/%s/turns".formatted(scope),
            """
            {"turns": [{"role": "USER", "text": "Go"},
                       {"role": "ASSISTANT", "parts": [{"kind": "text", "text": "Gone"}]}]}
            """);
    assertThat(turns.body().path("items")).as(turns.body().toString()).hasSize(2);
    Reply artifact =
        server.post(
            "/scopes/%s/artifacts".formatted(scope),
            "{\"artifacts\": [{\"type\": \"FACT\", \"text\": \"It was shipped\"}]}");
    assertThat(artifact.status()).as(artifact.body().toString()).isEqualTo(200);
    assertThat(server.post("/scopes/%s/close".formatted(scope), "{}").status()).isEqualTo(200);
    Reply done =
        server.post("/trajectories/%s/complete".formatted(id), "{\"summary\": \"Shipped\"}");
    assertThat(done.text("status")).isEqualTo("COMPLETED");
    assertThat(server.get("/traces?trajectory=" + id).body().path("items")).isNotEmpty();
    Reply unheard = server.get("/traces?type=unheard_of");
    assertThat(unheard.status()).as("types are open").isEqualTo(200);
    assertThat(unheard.body().path("items")).isEmpty();
  }

  @Test
  @DisplayName("API-08: a trajectory in a list is the same as one that is asked for alone")
  void listsAsItGets() {
    String id = session("thread-7", "Where is my parcel?");
    session("thread-7", "It was sent on Monday.");
    Reply one = server.get("/trajectories/" + id);
    assertThat(one.body().path("counters").path("turns").asInt()).isEqualTo(2);
    for (String list : List.of("/trajectories", "/trajectories?session=thread-7")) {
      assertThat(server.get(list).body().path("items").get(0)).isEqualTo(one.body());
    }
  }

  @Test
  @DisplayName("several writes are one transaction, or none")
  void commitsTogether() {
    String note =
        "{\"operation\": \"write_note\", \"input\": {\"entity\": \"x\", \"entity_type\": \"t\","
            + " \"type\": \"FACT\", \"content\": \"%s\"}}";
    Reply refused =
        server.post(
            "/commit",
            "{\"operations\": [%s, {\"operation\": \"write_note\", \"input\": {}}]}"
                .formatted(note.formatted("one")));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("pointer")).startsWith("/operations/1/input");
    assertThat(server.get("/notes").body().path("items")).isEmpty();
    Reply done =
        server.post(
            "/commit",
            "{\"operations\": [%s, %s]}"
                .formatted(note.formatted("The sky is blue"), note.formatted("Grass is green")));
    assertThat(done.body().path("results")).as(done.body().toString()).hasSize(2);
    assertThat(server.get("/notes").body().path("items")).hasSize(2);
    assertThat(server.get("/notes?type=FACT").body().path("items")).hasSize(2);
    assertThat(server.get("/notes?type=GOTCHA").body().path("items")).isEmpty();
  }

  @Test
  @DisplayName(
      "notes and artifacts are asked for by the name that the caller's system has for them")
  void asksByExternalId() {
    String note =
        "{\"entity\": \"x\", \"entity_type\": \"t\", \"type\": \"FACT\","
            + " \"content\": \"The %s is blue\", \"external_id\": \"%s\"}";
    server.post("/notes", note.formatted("sky", "crm-7"));
    server.post("/notes", note.formatted("sea", "crm-8"));
    Reply listed = server.get("/notes?external_id=crm-7");
    assertThat(listed.body().path("items")).as(listed.body().toString()).hasSize(1);
    assertThat(listed.body().toString()).contains("The sky is blue");
    assertThat(server.get("/notes?external_id=crm-7&entity=y").body().path("items")).isEmpty();
    Reply found = server.post("/recall", "{\"query\": \"blue\", \"external_id\": \"crm-8\"}");
    assertThat(found.body().path("hits")).as(found.body().toString()).hasSize(1);
    String trajectory =
        server.post("/trajectories", "{\"goal\": \"Ship\"}").body().path("id").asString();
    String scope =
        server
            .get("/trajectories/" + trajectory + "/scopes")
            .body()
            .path("items")
            .path(0)
            .path("id")
            .asString();
    server.post(
        "/scopes/" + scope + "/artifacts",
        "{\"artifacts\": [{\"type\": \"FACT\", \"text\": \"one\", \"external_id\": \"crm-7\"},"
            + " {\"type\": \"FACT\", \"text\": \"two\"}]}");
    String artifacts = "/trajectories/" + trajectory + "/artifacts";
    assertThat(server.get(artifacts).body().path("items")).hasSize(2);
    assertThat(server.get(artifacts + "?external_id=crm-7").body().path("items")).hasSize(1);
    Reply gone = server.post("/forget", "{\"external_id\": \"crm-7\"}");
    assertThat(gone.body().path("records")).as(gone.body().toString()).hasSize(2);
  }

  @Test
  @DisplayName(
      "MEM-16: what was believed at a time, about a time, is a question to the list of notes")
  void asksForWhatWasBelieved() {
    String note =
        "{\"entity\": \"x\", \"entity_type\": \"t\", \"type\": \"FACT\","
            + " \"content\": \"The sky is blue\", \"valid_from\": \"2020-01-01T00:00:00Z\"}";
    assertThat(server.post("/notes", note).status()).isEqualTo(200);
    assertThat(listed("as_of=2999-01-01T00:00:00Z")).isEqualTo(1);
    assertThat(listed("as_of=1999-01-01T00:00:00Z")).isZero();
    assertThat(listed("valid_at=2021-01-01T00:00:00Z")).isEqualTo(1);
    assertThat(listed("valid_at=2019-01-01T00:00:00Z")).isZero();
    assertThat(listed("as_of=2999-01-01T00:00:00Z&valid_at=2019-01-01T00:00:00Z")).isZero();
    assertThat(listed("believed=false&valid_at=2021-01-01T00:00:00Z")).isEqualTo(1);
    Reply both = server.get("/notes?believed=false&as_of=2999-01-01T00:00:00Z");
    assertThat(both.text("pointer")).isEqualTo("/believed");
    Reply recalled =
        server.post("/recall", "{\"query\": \"sky\", \"as_of\": \"2999-01-01T00:00:00Z\"}");
    assertThat(recalled.body().path("partial").asBoolean(true)).isFalse();
    String later =
        note.replace("The sky is blue", "The tower opens").replace("2020-01-01", "2998-01-01");
    assertThat(server.post("/notes", later).status()).isEqualTo(200);
    String tower = "{\"query\": \"tower\"%s}";
    assertThat(server.post("/recall", tower.formatted("")).body().toString())
        .doesNotContain("The tower opens");
    String then = ", \"as_of\": \"2999-01-01T00:00:00Z\"";
    assertThat(server.post("/recall", tower.formatted(then)).body().path("hits")).hasSize(1);
  }

  @Test
  @DisplayName("API-10: a refusal names the property that was sent, and the setting that bounds it")
  void namesWhatWasSent() {
    session("thread-7", "Where is my parcel?");
    for (String time : List.of("soon", "0s", "99999w", "99999999999999999999d")) {
      Reply refused =
          server.post(
              "/context/assemble", "{\"session\": \"thread-7\", \"ttl\": \"%s\"}".formatted(time));
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text("pointer")).isEqualTo("/ttl");
      assertThat(refused.text("detail")).startsWith("ttl: expected ");
    }
    Reply key = server.post("/keys", "{\"name\": \"k\", \"right\": \"READ\", \"ttl\": \"soon\"}");
    assertThat(key.text("detail")).startsWith("ttl: expected ");
    Reply query =
        server.post(
            "/context/assemble",
            "{\"session\": \"thread-7\", \"query\": \"%s\"}".formatted("tea ".repeat(100_000)));
    assertThat(query.text("detail"))
        .matches("query: expected at most \\d+ \\(memory.limits.note\\), .*");
    assertThat(server.get("/notes?limit=100000").text("detail"))
        .startsWith("limit: expected at most ")
        .contains("(server.limits.page-size)");
    assertThat(server.post("/recall", "{\"query\": \"x\", \"limit\": 100000}").text("detail"))
        .startsWith("limit: expected at most ")
        .contains("(memory.recall.max-limit)");
  }

  @Test
  @DisplayName("STO-03: a list of artifacts holds only those that count now, if that is asked for")
  void listsLiveArtifacts() {
    String id = server.post("/trajectories", "{\"goal\": \"Ship it\"}").text("id");
    Reply scopes = server.get("/trajectories/%s/scopes".formatted(id));
    String scope = scopes.body().path("items").get(0).path("id").asString();
    Reply made =
        server.post(
            "/scopes/%s/artifacts".formatted(scope),
            "{\"artifacts\": [{\"type\": \"FACT\", \"text\": \"old\", \"external_id\": \"a\"},"
                + " {\"type\": \"FACT\", \"text\": \"other\", \"external_id\": \"b\"}]}");
    String old = made.body().path("items").get(0).path("id").asString();
    Reply better =
        server.post(
            "/artifacts/%s/supersede".formatted(old),
            "{\"scope\": \"%s\", \"artifact\": {\"type\": \"FACT\", \"text\": \"new\"}}"
                .formatted(scope));
    assertThat(better.status()).as(better.body().toString()).isEqualTo(200);
    String list = "/trajectories/%s/artifacts".formatted(id);
    assertThat(server.get(list).body().path("items")).hasSize(3);
    assertThat(server.get(list + "?live=false").body().path("items")).hasSize(3);
    Reply live = server.get(list + "?live=true");
    assertThat(live.body().path("items")).as(live.body().toString()).hasSize(2);
    assertThat(live.body().toString()).doesNotContain(old + "\",\"trajectory");
    assertThat(server.get(list + "?live=true&external_id=a").body().path("items")).isEmpty();
    assertThat(server.get(list + "?live=true&external_id=b").body().path("items")).hasSize(1);
    assertThat(server.get(list + "?live=true&include=rolled_back").text("pointer"))
        .isEqualTo("/live");
  }

  private int listed(String asked) {
    Reply reply = server.get("/notes?" + asked);
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    return reply.body().path("items").size();
  }

  @Test
  @DisplayName("the same idempotency key is answered once, and refused for another request")
  void isIdempotent() {
    String body = "{\"goal\": \"Once\"}";
    Reply first =
        server.send(
            TestServer.json(server.request("/trajectories"), body).header("Idempotency-Key", "k1"));
    Reply second =
        server.send(
            TestServer.json(server.request("/trajectories"), body).header("Idempotency-Key", "k1"));
    assertThat(second.text("id")).isEqualTo(first.text("id")).isNotEmpty();
    assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(server.get("/trajectories").body().path("items")).hasSize(1);
    Reply other =
        server.send(
            TestServer.json(server.request("/trajectories"), "{\"goal\": \"Twice\"}")
                .header("Idempotency-Key", "k1"));
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.text("code")).endsWith("IDEMPOTENCY_KEY_REUSED");
  }

  @Test
  @DisplayName("a record that has changed since it was read is not overwritten")
  void insistsOnARevision() {
    String id = server.post("/trajectories", "{\"goal\": \"Go\"}").text("id");
    String tag = server.get("/trajectories/" + id).header("ETag");
    Reply suspended =
        server.send(
            TestServer.json(server.request("/trajectories/%s/suspend".formatted(id)), "{}")
                .header("If-Match", tag));
    assertThat(suspended.status()).isEqualTo(200);
    assertThat(suspended.header("ETag")).isNotEqualTo(tag).isNotEmpty();
    Reply late =
        server.send(
            TestServer.json(server.request("/trajectories/%s/resume".formatted(id)), "{}")
                .header("If-Match", tag));
    assertThat(late.status()).isEqualTo(412);
  }

  @Test
  @DisplayName("API-10: a fault in a request has a code and a location")
  void saysWhatIsWrong() {
    assertThat(server.post("/remember", "{}").text("pointer")).isEqualTo("/text");
    assertThat(server.post("/remember", "{\"text\": ").status()).isEqualTo(400);
    assertThat(server.post("/remember", "[]").status()).isEqualTo(400);
    assertThat(server.post("/recall", "{\"query\": \"x\", \"limit\": \"y\"}").text("pointer"))
        .isEqualTo("/limit");
    assertThat(server.get("/notes/01JD0000000000000000000000").status()).isEqualTo(404);
    assertThat(server.get("/notes/nonsense").status()).isEqualTo(400);
    assertThat(server.get("/nowhere").text("code")).endsWith("UNKNOWN_ROUTE");
    assertThat(server.get("/remember").status()).isEqualTo(405);
    assertThat(server.get("/notes?limit=1000000").text("code")).endsWith("LIMIT_EXCEEDED");
    assertThat(server.get("/notes?wrong=1").text("pointer")).isEqualTo("/wrong");
  }

  @Test
  @DisplayName("lists of the graph's operations have a limit, and deleting many looks once")
  void graphListsAreBounded() {
    McpCaller graph = new McpCaller(server);
    String many = String.join(",", java.util.Collections.nCopies(100_000, "\"a\""));
    assertThat(graph.call("delete_entities", "{\"entityNames\": [%s]}".formatted(many)).toString())
        .contains("LIMIT_EXCEEDED");
    String ada = "{\"name\": \"Ada\", \"entityType\": \"person\", \"observations\": [\"writes\"]}";
    String ben = ada.replace("Ada", "Ben");
    String made =
        graph.call("create_entities", "{\"entities\": [%s, %s]}".formatted(ada, ben)).toString();
    assertThat(made).doesNotContain("isError\":true");
    graph.call(
        "create_relations",
        "{\"relations\": [{\"from\": \"Ada\", \"to\": \"Ben\", \"relationType\": \"knows\"}]}");
    graph.call("delete_entities", "{\"entityNames\": [\"Ben\", \"Cy\"]}");
    assertThat(server.get("/notes").body().path("items").valueStream())
        .as("Ada and what is known of her")
        .hasSize(2);
  }

  @Test
  @DisplayName("API-06: an operation outside of the contract cannot be called by its name")
  void otherProtocolsKeepTheirOperations() {
    for (String name : List.of("create_entities", "record_chat", "nonsense")) {
      String step = "{\"operation\": \"%s\", \"input\": {}}".formatted(name);
      Reply commit = server.post("/commit", "{\"operations\": [%s]}".formatted(step));
      assertThat(commit.text("code")).as(name).endsWith("UNKNOWN_OPERATION");
      Reply bulk =
          server.send(
              server
                  .request("/bulk")
                  .header("Content-Type", "application/x-ndjson")
                  .POST(java.net.http.HttpRequest.BodyPublishers.ofString(step)));
      assertThat(new String(bulk.raw().body(), java.nio.charset.StandardCharsets.UTF_8))
          .as(name)
          .contains("UNKNOWN_OPERATION");
    }
  }
}
