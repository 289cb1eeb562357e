package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.server.TestServer.Reply;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The deployment of sources and packs over HTTP, and the health of the server. */
@Timeout(120)
class DeploymentTest {
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

  private Reply source(String path, String text) {
    return server.post(path, "{\"source\": %s}".formatted(Samples.json(text)));
  }

  private Reply deploy(String text) {
    return server.post(
        "/dsl/deploy", "{\"name\": \"a\", \"source\": %s}".formatted(Samples.json(text)));
  }

  @Test
  @DisplayName("API-01: a source is validated, parsed, compiled and deployed")
  void aSourceIsDeployed() {
    assertThat(source("/dsl/validate", Samples.SOURCE).body().path("valid").asBoolean()).isTrue();
    assertThat(source("/dsl/parse", Samples.SOURCE).body().path("ast").isObject()).isTrue();
    assertThat(source("/dsl/compile", Samples.SOURCE).body().path("compiled").isObject()).isTrue();
    assertThat(deploy(Samples.SOURCE).text("version", "kind")).isEqualTo("DSL");
    assertThat(server.get("/deployments/active").text("version", "name")).isEqualTo("a");
  }

  @Test
  @DisplayName("API-01: a fault in a source has a code and a location")
  void mistakesHaveTheirPlace() {
    String wrong = Samples.SOURCE.replace("retention: persistent", "retention: persistant");
    Reply checked = source("/dsl/validate", wrong);
    assertThat(checked.status()).isEqualTo(200);
    assertThat(checked.body().path("valid").asBoolean()).isFalse();
    assertThat(checked.body().path("diagnostics").get(0).path("span").path("line").asInt())
        .isEqualTo(7);
    Reply refused = deploy(wrong);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("code")).startsWith("CALIBER_");
    assertThat(server.get("/deployments").body().path("items")).isEmpty();
  }

  @Test
  @DisplayName("API-02: a pack that is sent as a form gives tree, source and configuration")
  void aPackIsComposed() {
    Reply composed = server.send(Samples.pack(server, "/dsl/compose"));
    assertThat(composed.body().path("valid").asBoolean()).as(composed.body().toString()).isTrue();
    assertThat(composed.body().has("ast")).isTrue();
    assertThat(composed.body().has("compiled")).isTrue();
    assertThat(composed.text("dsl_source")).contains("caliber:");
  }

  @Test
  @DisplayName("API-03: a deployed pack stays a pack, and the same again is no new version")
  void aPackIsDeployed() {
    Reply first = server.send(Samples.pack(server, "/dsl/deploy"));
    assertThat(first.text("version", "kind")).as(first.body().toString()).isEqualTo("PACK");
    assertThat(first.body().path("is_new").asBoolean()).isTrue();
    Reply second = server.send(Samples.pack(server, "/dsl/deploy"));
    assertThat(second.body().path("is_new").asBoolean()).isFalse();
    assertThat(second.text("version", "hash")).isEqualTo(first.text("version", "hash"));
  }

  @Test
  @DisplayName(
      "PACK-30: a running server takes a deployment up at once, and no request sees half of it")
  void deploymentsUnderLoad() throws InterruptedException {
    server.post("/remember", "{\"text\": \"Hello\", \"session\": \"s\"}");
    List<String> texts =
        List.of(Samples.SOURCE, Samples.SOURCE.replace("retention: persistent", "retention: 30d"));
    Map<String, String> known = new HashMap<>();
    for (String text : texts) {
      deploy(text);
      known.put(text, configuration());
    }
    Set<String> seen = ConcurrentHashMap.newKeySet();
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(
          Thread.ofVirtual()
              .name("reader-", i)
              .start(
                  () -> {
                    while (!over.get()) {
                      seen.add(configuration());
                    }
                  }));
    }
    for (int i = 0; i < 20; i++) {
      String text = texts.get(i % texts.size());
      assertThat(deploy(text).status()).isEqualTo(200);
      assertThat(configuration()).isEqualTo(known.get(text));
    }
    over.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(seen).isEqualTo(Set.copyOf(known.values())).hasSize(2);
  }

  /** Returns the configuration that the next window uses. */
  private String configuration() {
    Reply made = server.post("/context/assemble", "{\"session\": \"s\", \"dry_run\": true}");
    assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
    return made.text("window", "inputs", "configuration");
  }

  @Test
  @DisplayName("API-09: the health endpoint answers 200 when the server is ready")
  void aReadyServerSaysSo() {
    Reply ready = server.send(HttpRequest.newBuilder(server.uri("/health/ready")).GET());
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.text("status")).isEqualTo("up");
  }
}
