package dev.caliber.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.caliber.app.shell.ServerProcess;
import dev.caliber.kernel.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Tests of webhooks of a server that is killed while it delivers. */
@Timeout(600)
@NullMarked
class AppWebhookKillTest {
  private static final int KILLS = 2;
  private static final int NOTES = 12;
  private static final int HELD = 2;
  private static final String REFUSING = "/refusing";

  @TempDir private Path directory;
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    client.close();
  }

  /** A webhook message as received. */
  private record Told(String name, String time, String signature, String text) {
    JsonNode data() {
      return Json.read(text, JsonNode.class).path("data");
    }

    long sequence() {
      return data().path("sequence").asLong();
    }

    String note() {
      return data().path("changes").path(0).path("key").asString();
    }

    /** Checks the signature as a receiver does: by the specification, not with our code. */
    boolean isSignedWith(String secret) {
      try {
        Mac mac = Mac.getInstance("HmacSHA256");
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        byte[] sum =
            mac.doFinal("%s.%s.%s".formatted(name, time, text).getBytes(StandardCharsets.UTF_8));
        return signature.equals("v1," + Base64.getEncoder().encodeToString(sum));
      } catch (GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A receiver of messages that can hold them until the server is dead. */
  private static final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("receiver-", 0).factory());
    private final Queue<Told> told = new ConcurrentLinkedQueue<>();
    private final Semaphore arrivals = new Semaphore(0);
    private volatile CountDownLatch holding = new CountDownLatch(1);
    private volatile CountDownLatch dead = new CountDownLatch(0);

    Receiver() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext("/", this::take);
      server.createContext(
          REFUSING,
          exchange -> {
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
          });
      server.start();
    }

    String url(String path) {
      return "http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path);
    }

    void hold() {
      holding = new CountDownLatch(1);
      dead = new CountDownLatch(1);
    }

    void awaitHeld() throws InterruptedException {
      holding.await();
    }

    void release() {
      dead.countDown();
    }

    private void take(HttpExchange exchange) throws IOException {
      String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      told.add(
          new Told(
              exchange.getRequestHeaders().getFirst("webhook-id"),
              exchange.getRequestHeaders().getFirst("webhook-timestamp"),
              exchange.getRequestHeaders().getFirst("webhook-signature"),
              text));
      arrivals.release();
      CountDownLatch gate = dead;
      if (gate.getCount() > 0) {
        holding.countDown();
        await(gate);
      }
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    void awaitAll(List<String> notes) throws InterruptedException {
      while (!told.stream().map(Told::note).collect(Collectors.toSet()).containsAll(notes)) {
        arrivals.acquire();
      }
    }

    @Override
    public void close() {
      release();
      server.stop(0);
      threads.close();
    }
  }

  /** Settings with short retries and few attempts. */
  private static String settings(String starter) {
    String here = "[\"127.0.0.1\"]";
    String text = starter;
    for (String hosts : List.of("hosts", "private-hosts", "plaintext-hosts")) {
      text = ServerProcess.set(text, "server.webhooks", hosts, here);
    }
    text = ServerProcess.set(text, "server.webhooks", "response-timeout", "\"1s\"");
    text = ServerProcess.set(text, "store.jobs", "lease-duration", "\"2s\"");
    text = ServerProcess.set(text, "store.jobs", "attempts-limit", "6");
    text = ServerProcess.set(text, "store.jobs", "backoff", "\"10ms\"");
    return ServerProcess.set(text, "store.jobs", "poll-interval", "\"100ms\"");
  }

  private JsonNode ask(ServerProcess server, String path, String json)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.address().resolve("/api/v1" + path))
            .header("Content-Type", "application/json");
    String answer =
        client
            .send(
                (json.isEmpty() ? request.GET() : request.POST(BodyPublishers.ofString(json)))
                    .build(),
                BodyHandlers.ofString())
            .body();
    return Json.read(answer, JsonNode.class);
  }

  private JsonNode webhook(ServerProcess server, String url)
      throws IOException, InterruptedException {
    return ask(server, "/webhooks", "{\"url\": \"%s\", \"tables\": [\"note\"]}".formatted(url));
  }

  private String write(ServerProcess server, int round, int number)
      throws IOException, InterruptedException {
    JsonNode note =
        ask(
            server,
            "/notes",
            """
            {"entity": "door %d of house %d", "entity_type": "door", "type": "FACT", "content": "Door %d of house %d is open"}
            """
                .formatted(number, round, number, round));
    assertThat(note.path("id").asString()).as(note.toString()).isNotEmpty();
    return note.path("id").asString();
  }

  private Set<String> dead(ServerProcess server) throws IOException, InterruptedException {
    Set<String> messages = new HashSet<>();
    for (JsonNode each :
        ask(server, "/webhook-deliveries?state=DEAD&limit=100", "").path("items")) {
      messages.add(each.path("webhook").asString() + " " + each.path("message").asString());
    }
    return messages;
  }

  @Test
  @DisplayName(
      "killed while it delivers, a server delivers every commit at least once, and keeps dead"
          + " deliveries")
  void survivesKills() throws IOException, InterruptedException {
    try (Receiver receiver = new Receiver()) {
      ServerProcess server = ServerProcess.start(directory, AppWebhookKillTest::settings);
      try {
        String secret = webhook(server, receiver.url("/hook")).path("secret").asString();
        String refusing = webhook(server, receiver.url(REFUSING)).at("/webhook/id").asString();
        List<String> written = new ArrayList<>();
        for (int round = 0; round < KILLS; round++) {
          for (int i = 0; i < NOTES; i++) {
            if (i == NOTES - HELD) {
              receiver.hold();
            }
            written.add(write(server, round, i));
          }
          receiver.awaitHeld();
          server.kill();
          receiver.release();
          server = ServerProcess.start(directory, AppWebhookKillTest::settings);
        }
        receiver.awaitAll(written);
        assertTold(List.copyOf(receiver.told), secret, written);
        Set<String> dead = dead(server);
        while (dead.size() < written.size()) {
          dead = dead(server);
        }
        assertThat(dead).hasSize(written.size()).allMatch(each -> each.startsWith(refusing));
        server.kill();
        server = ServerProcess.start(directory, AppWebhookKillTest::settings);
        assertThat(dead(server)).isEqualTo(dead);
        LoggerFactory.getLogger(AppWebhookKillTest.class)
            .info(
                "{} commits, {} kills: {} messages taken, {} put aside",
                written.size(),
                KILLS + 1,
                receiver.told.size(),
                dead.size());
      } finally {
        server.close();
      }
    }
  }

  private static void assertTold(List<Told> told, String secret, List<String> written) {
    assertThat(told).allMatch(message -> message.isSignedWith(secret));
    Map<String, Told> first = new HashMap<>();
    for (Told message : told) {
      Told known = first.computeIfAbsent(message.note(), _ -> message);
      assertThat(message.name()).isEqualTo(known.name());
      assertThat(message.text()).isEqualTo(known.text());
    }
    assertThat(
            first.values().stream()
                .sorted(Comparator.comparingLong(Told::sequence))
                .map(Told::note))
        .containsExactlyElementsOf(written);
  }
}
