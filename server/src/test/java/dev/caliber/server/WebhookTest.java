package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.StubReceiver.Taken;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.server.operation.AccessRight;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.server.webhook.WebhookSecrets;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.StoreConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commits, delivered to a receiver on loopback. */
@Timeout(120)
class WebhookTest {
  @TempDir private Path directory;
  private StubReceiver receiver;
  private TestServer server;

  @BeforeEach
  void start() {
    receiver = new StubReceiver();
    server = TestServer.start(setup(directory, 3));
  }

  @AfterEach
  void stop() {
    server.close();
    receiver.close();
  }

  /** Returns a setup whose webhooks may call this machine, with short retry pauses. */
  static ServerSetup setup(Path directory, int attempts) {
    String here = " = ['127.0.0.1']";
    ServerConfig server =
        TestServer.starter()
            .with(
                "server.webhooks.hosts" + here,
                "server.webhooks.private-hosts" + here,
                "server.webhooks.plaintext-hosts" + here,
                "server.webhooks.max-per-space = 2");
    ServerSetup plain = TestServer.setup(directory, server);
    StoreConfig store =
        plain
            .store()
            .with(
                "store.jobs.attempts-limit = " + attempts,
                "store.jobs.backoff = '2ms'",
                "store.jobs.backoff-limit = '5ms'",
                "store.jobs.retry-after-limit = '5ms'");
    return new ServerSetup(
        store,
        plain.search(),
        plain.models(),
        plain.memory(),
        plain.runtime(),
        plain.agents(),
        plain.server(),
        plain.environment(),
        plain.clock(),
        plain.chance());
  }

  private Reply create(String more) {
    return server.post("/webhooks", "{\"url\": \"%s\"%s}".formatted(receiver.url(), more));
  }

  private void remember(String text) {
    assertThat(server.post("/remember", "{\"text\": \"%s\"}".formatted(text)).status())
        .isEqualTo(200);
  }

  private JsonNode deliveries(String state) {
    return server.get("/webhook-deliveries?state=" + state).body().path("items");
  }

  private JsonNode awaitDead() {
    JsonNode dead = deliveries("DEAD");
    while (dead.isEmpty()) {
      dead = deliveries("DEAD");
    }
    return dead.path(0);
  }

  @Test
  @DisplayName("a commit is delivered once, signed, with its changes and an id")
  void tellsCommits() throws InterruptedException, GeneralSecurityException {
    remember("Before");
    Reply made = create(", \"tables\": [\"note\"], \"description\": \"CI\"");
    assertThat(made.status()).as(made.body().toString()).isEqualTo(200);
    String secret = made.text("secret");
    server.post("/remember", "{\"text\": \"A turn\", \"session\": \"s1\"}");
    remember("After");
    Taken message = receiver.next();
    assertThat(message.isSignedWith(secret)).isTrue();
    assertThat(message.id()).startsWith("msg_");
    assertThat(message.body().path("type").asString()).isEqualTo("commit");
    JsonNode data = message.body().path("data");
    assertThat(data.path("space").asString()).isEqualTo("default");
    assertThat(data.path("changes").path(0).path("table").asString()).isEqualTo("note");
    remember("Later");
    assertThat(receiver.next().id()).isNotEqualTo(message.id());
    assertThat(receiver.waiting()).isZero();
    assertThat(server.get("/webhooks").body().toString())
        .contains(receiver.url())
        .doesNotContain(secret);
  }

  @Test
  @DisplayName("the store holds no secret in plain text, and its key lies beside it, for its owner")
  void encryptsSecrets() throws IOException, InterruptedException, GeneralSecurityException {
    String secret = create(", \"tables\": [\"note\"]").text("secret");
    server.close();
    Path data = directory.resolve("data");
    assertThat(text(data.resolve("caliber.db"))).contains("webhook_secret").doesNotContain(secret);
    Path key = data.resolve("webhook.key");
    assertThat(Files.getPosixFilePermissions(key))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    server = TestServer.start(setup(directory, 3));
    remember("After a restart");
    assertThat(receiver.next().isSignedWith(secret)).isTrue();
    server.close();
    Files.writeString(key, Base64.getEncoder().encodeToString(new byte[32]));
    server = TestServer.start(setup(directory, 1));
    remember("With another key");
    assertThat(awaitDead().path("last_error").asString())
        .contains("encrypted with a key that this server does not have");
    assertThat(receiver.waiting()).isZero();
  }

  @Test
  @DisplayName("a secret that an older version stored in plain text is encrypted at the start")
  void encryptsOldSecrets() throws IOException, InterruptedException, GeneralSecurityException {
    String secret = create(", \"tables\": [\"note\"]").text("secret");
    server.close();
    Path file = directory.resolve("data/caliber.db");
    WebhookSecrets.replaceByPlainText(WebhookTest.setup(directory, 3), secret);
    assertThat(text(file)).contains(secret);
    server = TestServer.start(setup(directory, 3));
    remember("Now");
    assertThat(receiver.next().isSignedWith(secret)).isTrue();
    server.close();
    assertThat(text(file)).doesNotContain(secret);
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  @Test
  @DisplayName("a message that is refused is tried again under the same name, and not elsewhere")
  void triesAgain() throws InterruptedException {
    receiver.answering(500, 307);
    create(", \"tables\": [\"note\"]");
    remember("One");
    Taken first = receiver.next();
    Taken second = receiver.next();
    Taken third = receiver.next();
    assertThat(List.of(second.id(), third.id())).containsOnly(first.id());
    assertThat(List.of(second.text(), third.text())).containsOnly(first.text());
    assertThat(receiver.waiting()).isZero();
  }

  @Test
  @DisplayName("an undeliverable message is put aside, listed, and delivered on request")
  void putsAside() throws InterruptedException {
    receiver.always(500);
    String secret = create(", \"tables\": [\"note\"]").text("secret");
    remember("One");
    JsonNode dead = awaitDead();
    assertThat(dead.path("attempts").asInt()).isEqualTo(3);
    assertThat(dead.path("last_error").asString()).contains("status 500");
    assertThat(dead.toString()).doesNotContain(secret).doesNotContain("t0k3n");
    for (int i = 0; i < 3; i++) {
      receiver.next();
    }
    receiver.always(204);
    String id = dead.path("id").asString();
    assertThat(server.post("/webhook-deliveries/%s/retry".formatted(id), "{}").text("state"))
        .isEqualTo("READY");
    assertThat(receiver.next().id()).isEqualTo(dead.path("message").asString());
    assertThat(
            server.post("/webhook-deliveries/01ARZ3NDEKTSV4RRFFQ69G5FAV/retry", "{}").text("code"))
        .isEqualTo("CALIBER_VALIDATION_UNKNOWN_DELIVERY");
  }

  @Test
  @DisplayName("messages not delivered before a stop are delivered after the next start")
  void survivesARestart() throws InterruptedException {
    receiver.always(503);
    create(", \"tables\": [\"note\"]");
    remember("One");
    String before = receiver.next().id();
    server.close();
    receiver.always(204);
    server = TestServer.start(setup(directory, 100));
    Taken after = receiver.next();
    assertThat(after.id()).isEqualTo(before);
    remember("Two");
    Taken next = receiver.next();
    while (next.id().equals(before)) {
      next = receiver.next(); // at least once
    }
    assertThat(next.body().path("type").asString()).isEqualTo("commit");
  }

  @Test
  @DisplayName("the position of the feed is sent even if other tables change all the time")
  void acknowledgesUnderWay(@TempDir Path other) {
    ServerSetup plain = setup(other, 3);
    ServerSetup restless =
        new ServerSetup(
            plain.store(),
            plain.search(),
            plain.models(),
            plain.memory(),
            plain.runtime(),
            plain.agents(),
            plain
                .server()
                .with(
                    "server.limits.idle-timeout = '1h'",
                    "server.events.heartbeat-interval = '59m'",
                    "server.events.batch = 1"),
            plain.environment(),
            plain.clock(),
            plain.chance());
    try (Wiring wiring = Wiring.open(restless)) {
      Caller caller = new Caller("1", "ci", SpaceId.DEFAULT, AccessRight.ADMIN, List.of());
      OperationDispatcher operationDispatcher =
          OperationDispatcher.of(
              wiring.modules(), restless.server(), wiring.webhooks().operations());
      operationDispatcher.run(
          caller,
          OperationRequest.of(
              "create_webhook", Json.mapper().createObjectNode().put("url", receiver.url())));
      Optional<FeedCursor> position = Optional.empty();
      for (int i = 0; position.isEmpty(); i++) {
        operationDispatcher.run(
            caller,
            OperationRequest.of(
                "remember", Json.mapper().createObjectNode().put("text", "Step " + i)));
        position = wiring.modules().store().changes().followerCursor(SpaceId.DEFAULT, "webhooks");
      }
      assertThat(position.get().sequence()).isPositive();
    }
  }

  @Test
  @DisplayName("a webhook can be tested, and receives nothing after its deletion")
  void canBeTriedAndDeleted() throws InterruptedException, GeneralSecurityException {
    Reply made = create("");
    String path = "/webhooks/" + made.text("webhook", "id");
    receiver.answering(418);
    Reply refused = server.post(path + "/test", "{}");
    assertThat(refused.body().path("status").asInt()).isEqualTo(418);
    assertThat(refused.body().path("taken").asBoolean()).isFalse();
    assertThat(server.post(path + "/test", "{}").body().path("taken").asBoolean()).isTrue();
    assertThat(receiver.next().isSignedWith(made.text("secret"))).isTrue();
    assertThat(receiver.next().body().path("type").asString()).isEqualTo("test");
    assertThat(server.post(path + "/delete", "{}").status()).isEqualTo(200);
    remember("After");
    assertThat(server.post(path + "/test", "{}").status()).isEqualTo(404);
    create(", \"tables\": [\"note\"]");
    remember("For another");
    assertThat(receiver.next().body().path("data").path("changes").path(0).path("table").asString())
        .isEqualTo("note");
    assertThat(receiver.waiting()).isZero();
  }

  @Test
  @DisplayName("addresses that may not be sent to, unknown tables and missing rights are refused")
  void refuses() {
    for (String url :
        List.of(
            "https://example.com/x",
            "http://169.254.169.254/",
            "ftp://127.0.0.1",
            "nonsense",
            "http://a@127.0.0.1/")) {
      Reply reply = server.post("/webhooks", "{\"url\": \"%s\"}".formatted(url));
      assertThat(reply.status()).as(url).isIn(400, 403);
    }
    assertThat(create(", \"tables\": [\"job\"]").text("pointer")).isEqualTo("/tables/0");
    for (String table : List.of("nothing", "api_key", "webhook_secret", "kept_answer")) {
      assertThat(create(", \"tables\": [\"%s\"]".formatted(table)).status())
          .as(table)
          .isEqualTo(400);
    }
    String key = server.post("/keys", "{\"name\": \"w\", \"right\": \"WRITE\"}").text("secret");
    Reply denied =
        server.send(server.request("/webhooks").header("Authorization", "Bearer " + key).GET());
    assertThat(denied.status()).isEqualTo(403);
    create("");
    create("");
    assertThat(create("").status()).isEqualTo(422);
  }
}
