package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.mcp.McpProtocol;
import dev.caliber.server.operation.ApiContract;
import dev.caliber.server.operation.Operation;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.proxy.ChatProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server and {@code openapi.yaml} agree on every path and every answer, without extras. */
@Timeout(180)
class ContractTest {
  @TempDir static Path directory;
  private static CheckedServer server;
  private static boolean asked;

  @BeforeAll
  static void start() {
    server = CheckedServer.of(TestServer.start(WebhookTest.setup(directory, 1)));
  }

  @AfterAll
  static void everythingWasAsked() {
    server.close();
    Set<Route> left = new TreeSet<>(server.contract().routes());
    left.removeAll(server.visited());
    if (asked) {
      assertThat(left).as("routes of the contract that no test has asked").isEmpty();
    }
  }

  @Test
  @DisplayName("API-06: the routes of the server are those of the contract")
  void theRoutesAreTheSame() {
    TreeSet<Route> listened = new TreeSet<>();
    ((RunningServer) server.server().server())
        .rest()
        .routes()
        .forEach(route -> listened.add(new Route(route.method(), route.path())));
    assertThat(listened).isEqualTo(server.contract().routes());
  }

  @Test
  @DisplayName("API-06: every operation is in the contract, except those of MCP and of the proxy")
  void everyOperationIsInTheContract() {
    Wiring wiring = ((RunningServer) server.server().server()).wiring();
    List<Operation<?, ?>> ofOneProtocol = new ArrayList<>(McpProtocol.operations(wiring.modules()));
    ofOneProtocol.addAll(ChatProxy.operations(wiring.modules()));
    OperationDispatcher dispatcher =
        OperationDispatcher.of(
            wiring.modules(), TestServer.starter(), RunningServer.additionalOperations(wiring));
    Set<String> declared = new TreeSet<>();
    dispatcher.allOperations().forEach(operation -> declared.add(operation.name()));
    ofOneProtocol.forEach(operation -> declared.remove(operation.name()));
    assertThat(declared).isEqualTo(new TreeSet<>(ApiContract.instance().operations()));
  }

  @Test
  @DisplayName("API-06: every path is asked for on a socket, and every answer fits its schema")
  void everyAnswerFitsItsSchema() throws IOException, InterruptedException {
    asked = true;
    memory();
    String trajectory = trajectories();
    windows(trajectory);
    notes();
    deployments();
    new CoordinationCalls(server).all();
    administration();
    webhooks();
    serverItself();
    events();
    assertThat(server.faults()).isEmpty();
  }

  private static void memory() {
    server.post("/remember", "{\"text\": \"I prefer tea\", \"subject\": \"alice\"}");
    server.post("/remember", "{\"text\": \"Hello\", \"session\": \"s1\", \"role\": \"USER\"}");
    server.post("/recall", "{\"query\": \"tea\", \"subject\": \"alice\", \"types\": [\"NOTE\"]}");
    server.post("/search", "{\"query\": \"tea\", \"explain\": true}");
    server.post("/forget", "{\"subject\": \"alice\", \"dry_run\": true}");
    server.post(
        "/commit",
        "{\"operations\": [{\"operation\": \"remember\", \"input\": {\"text\": \"One\"}}]}");
    server.refused("/remember", "{\"text\": 7}", 400);
    server.refused("/forget", "{}", 400);
    String lines =
        """
        {"operation": "remember", "input": {"text": "Two"}, "idempotency_key": "two"}
        {"operation": "nothing"}
        """;
    server
        .faults()
        .addAll(server.contract().requestLineFaults(new Route("POST", "/api/v1/bulk"), lines));
    Reply bulk =
        server.send(
            "POST",
            "/api/v1/bulk",
            server
                .server()
                .request("/bulk")
                .header("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString(lines)));
    assertThat(new String(bulk.raw().body(), StandardCharsets.UTF_8).lines()).hasSize(2);
  }

  private static String trajectories() {
    String id =
        server
            .post(
                "/trajectories",
                "{\"goal\": \"Ship\", \"session\": \"s2\", \"tags\": [\"a\"], \"metadata\": {\"n\": 1}}")
            .text("id");
    server.get("/trajectories?status=ACTIVE&limit=5");
    server.get("/trajectories/" + id);
    String scope = server.post("/trajectories/%s/scopes".formatted(id), "{}").text("id");
    server.get("/trajectories/%s/scopes".formatted(id));
    server.get("/scopes/" + scope);
    Reply turns =
        server.post(
            "/scopes/%s/turns".formatted(scope),
            "{\"turns\": [{\"role\": \"USER\", \"text\": \"Go\"}]}");
    server.post(
        "/sessions/s2/turns",
        """
        {"turns": [{"role": "ASSISTANT", "parts": [{"kind": "tool_call", "call": "c1", "tool": "t", "arguments": "{}"}]},
                   {"role": "TOOL", "parts": [{"kind": "tool_result", "call": "c1", "content": "ok", "failed": false}]}]}
        """);
    server.get("/turns/" + turns.body().path("items").get(0).path("id").asString());
    server.get("/scopes/%s/turns".formatted(scope));
    server.get("/trajectories/%s/turns?limit=1".formatted(id));
    artifacts(id, scope);
    server.post("/trajectories/%s/checkpoints".formatted(id), "{}");
    server.get("/trajectories/%s/checkpoints".formatted(id));
    server.post("/trajectories/%s/rollback".formatted(id), "{}");
    server.post("/scopes/%s/close".formatted(scope), "{}");
    server.get("/scopes/%s/summarized-turns".formatted(scope));
    server.get("/trajectories/%s/summarized-turns".formatted(id));
    server.post("/trajectories/%s/suspend".formatted(id), "{}");
    server.post("/trajectories/%s/resume".formatted(id), "{}");
    server.post("/trajectories/%s/consolidate".formatted(id), "{}");
    String other = server.post("/trajectories", "{\"goal\": \"Fail\"}").text("id");
    server.post("/trajectories/%s/fail".formatted(other), "{\"summary\": \"No\"}");
    server.post("/trajectories/%s/complete".formatted(id), "{\"summary\": \"Yes\"}");
    server.refused("/trajectories/%s/resume".formatted(id), "{}", 409);
    server.get("/traces?trajectory=" + id);
    return id;
  }

  private static void artifacts(String trajectory, String scope) {
    Reply made =
        server.post(
            "/scopes/%s/artifacts".formatted(scope),
            "{\"artifacts\": [{\"type\": \"FACT\", \"text\": \"Shipped\", \"ttl\": {\"kind\":"
                + " \"duration\", \"millis\": 60000}}]}");
    String id = made.body().path("items").get(0).path("id").asString();
    server.get("/artifacts/" + id);
    server.get("/trajectories/%s/artifacts".formatted(trajectory));
    server.post(
        "/artifacts/%s/supersede".formatted(id),
        "{\"scope\": \"%s\", \"artifact\": {\"type\": \"FACT\", \"content\": \"U2hpcHBlZCE=\"}}"
            .formatted(scope));
  }

  private static void windows(String trajectory) {
    String id =
        server
            .post(
                "/context/assemble",
                "{\"trajectory\": \"%s\", \"query\": \"tea\", \"max_tokens\": 2000, \"ttl\": \"1h\"}"
                    .formatted(trajectory))
            .text("window", "id");
    server.post(
        "/context/assemble", "{\"trajectory\": \"%s\", \"dry_run\": true}".formatted(trajectory));
    server.post(
        "/context/assemble",
        "{\"trajectory\": \"%s\", \"query\": \"tea\", \"format\": \"TRUST\", \"dry_run\": true}"
            .formatted(trajectory));
    server.get("/trajectories/%s/windows".formatted(trajectory));
    server.get("/windows?limit=1");
    server.get("/windows/" + id);
    server.get("/windows/%s/explain".formatted(id));
    server.get("/windows/%s/replay".formatted(id));
    server.get("/windows/%s/diff/%s".formatted(id, id));
    server.post("/windows/%s/annotate".formatted(id), "{\"answer\": \"It was shipped [1].\"}");
    server.post("/windows/%s/apply-limits".formatted(id), "{\"keep\": \"EPHEMERAL\"}");
    server.post(
        "/context/assemble",
        "{\"trajectory\": \"%s\", \"dry_run\": true, \"dosed\": true}".formatted(trajectory));
  }

  private static void notes() {
    String note =
        "{\"entity\": \"sky\", \"entity_type\": \"thing\", \"type\": \"FACT\", \"content\": \"%s\"}";
    String id = server.post("/notes", note.formatted("The sky is blue")).text("id");
    server.get("/notes?entity=sky&believed=false");
    server.get("/notes/" + id);
    String next =
        server
            .post(
                "/notes/%s/supersede".formatted(id),
                "{\"note\": %s}".formatted(note.formatted("The sky is grey")))
            .text("id");
    server.post("/notes/%s/end".formatted(next), "{\"end\": \"2100-01-01T00:00:00Z\"}");
    server.post("/promote", "{\"id\": \"%s\"}".formatted(next));
    server.get("/notes/%s/history".formatted(next));
    server.get("/audit?limit=3");
  }

  private static void deployments() {
    String source = "{\"source\": %s}".formatted(Samples.json(Samples.SOURCE));
    server.post("/dsl/validate", source);
    server.post("/dsl/validate", "{\"source\": \"nonsense\"}");
    server.post("/dsl/parse", source);
    server.post("/dsl/compile", source);
    server.refused("/dsl/deploy", "{\"name\": \"a\", \"source\": \"nonsense\"}", 400);
    for (int budget : new int[] {1000, 2000}) {
      server.post(
          "/dsl/deploy",
          "{\"name\": \"a\", \"source\": %s}".formatted(Samples.json(Samples.source(budget))));
    }
    server.get("/deployments");
    server.get("/deployments/active");
    server.post("/policies/told/run", "{\"key\": \"k1\"}");
    server.refused("/policies/unheard_of/run", "{}", 404);
    server.post("/deployments/rollback", "{}");
    server.post("/deployments/activate", "{\"name\": \"a\", \"version\": 2}");
    Reply composed =
        server.send("POST", "/api/v1/dsl/compose", Samples.pack(server.server(), "/dsl/compose"));
    assertThat(composed.body().path("valid").asBoolean()).as(composed.body().toString()).isTrue();
    server.send("POST", "/api/v1/dsl/deploy", Samples.pack(server.server(), "/dsl/deploy"));
  }

  private static void administration() {
    server.get("/spaces");
    server.get("/overview");
    server.get("/activity?from=2026-01-01T00:00:00Z&until=2099-01-01T00:00:00Z&steps=4");
    server.post("/spaces", "{\"space\": \"team-a\"}");
    String id =
        server
            .post("/keys", "{\"name\": \"ci\", \"right\": \"WRITE\", \"spaces\": [\"team-a\"]}")
            .text("key", "id");
    server.get("/keys");
    server.post("/keys/%s/revoke".formatted(id), "{}");
  }

  /** Creates a webhook whose receiver refuses, so that there is a delivery to retry. */
  private static void webhooks() {
    try (StubReceiver receiver = new StubReceiver()) {
      receiver.always(500);
      String id =
          server
              .post(
                  "/webhooks",
                  "{\"url\": \"%s\", \"tables\": [\"note\"], \"description\": \"CI\"}"
                      .formatted(receiver.url()))
              .text("webhook", "id");
      server.get("/webhooks?limit=5");
      server.post("/webhooks/%s/test".formatted(id), "{}");
      server.post("/remember", "{\"text\": \"Told\"}");
      Reply dead = server.get("/webhook-deliveries?state=DEAD");
      while (dead.body().path("items").isEmpty()) {
        dead = server.get("/webhook-deliveries?state=DEAD");
      }
      String delivery = dead.body().path("items").path(0).path("id").asString();
      server.post("/webhook-deliveries/%s/retry".formatted(delivery), "{}");
      server.post("/webhooks/%s/delete".formatted(id), "{}");
      server.refused("/webhooks/%s/delete".formatted(id), "{}", 404);
    }
  }

  private static void serverItself() {
    for (String path :
        new String[] {
          "/", "/studio/studio.css", "/openapi.yaml", "/health/live", "/health/ready", "/metrics"
        }) {
      server.send(
          "GET", path, java.net.http.HttpRequest.newBuilder(server.server().uri(path)).GET());
    }
    String key = server.post("/keys", "{\"name\": \"me\", \"right\": \"ADMIN\"}").text("secret");
    server.post("/login", "{\"key\": \"%s\"}".formatted(key));
    server.refused("/login", "{\"key\": \"cal_no\"}", 401);
    server.send("POST", "/api/v1/logout", TestServer.json(server.server().request("/logout"), ""));
  }

  /** Reads the stream until the first existing commit. */
  private static void events() throws IOException, InterruptedException {
    Route route = new Route("GET", "/api/v1/events");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<java.io.InputStream> stream =
          client.send(
              server.server().request("/events?after=0&tables=note").GET().build(),
              BodyHandlers.ofInputStream());
      assertThat(stream.statusCode()).isEqualTo(200);
      assertThat(stream.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
        String line = lines.readLine();
        while (line != null && !line.startsWith("event: ")) {
          line = lines.readLine();
        }
        assertThat(line).isEqualTo("event: commit");
        String data = lines.readLine();
        assertThat(data).startsWith("data: ").contains("\"table\":\"note\"");
        server
            .faults()
            .addAll(
                server.contract().eventFaults(route, "commit", data.substring("data: ".length())));
      }
      client.shutdownNow();
    }
    server.visited().add(route);
  }
}
