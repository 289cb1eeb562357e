package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.testkit.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages that were valid once: with other types, cut, doubled, nested, or with other bytes. Each
 * is answered in time, none breaks the server, and the next valid one gets its answer.
 */
class McpHostileTest {
  private static final Logger LOG = LoggerFactory.getLogger(McpHostileTest.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration LONG =
      Duration.parse(System.getProperty("caliber.hostile", "PT10M"));
  private static final int QUICK = 250;
  private static final int SHOWN = 200;

  private final Map<String, Integer> answers = new TreeMap<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir Path directory;
  private TestServer server;
  private McpCaller mcp;
  private List<ObjectNode> right = List.of();

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
    assertThat(server.send(Samples.pack(server, "/dsl/deploy")).status()).isEqualTo(200);
    mcp = new McpCaller(server);
    right = messages();
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
  }

  private List<ObjectNode> messages() {
    List<ObjectNode> messages = new ArrayList<>();
    for (String method :
        List.of(
            "initialize",
            "ping",
            "server/discover",
            "tools/list",
            "prompts/list",
            "resources/list",
            "resources/templates/list")) {
      messages.add(McpCaller.message(method, Json.mapper().createObjectNode()));
    }
    messages.add(
        McpCaller.message(
            "resources/read",
            Json.mapper().createObjectNode().put("uri", "memory://knowledge-graph")));
    messages.add(McpCaller.message("prompts/get", prompt()));
    messages.add(McpCaller.message("subscriptions/listen", listening()));
    for (JsonNode tool : mcp.legacy("tools/list", "{}").body().at("/result/tools")) {
      for (JsonNode example : tool.at("/inputSchema/examples")) {
        ObjectNode params = Json.mapper().createObjectNode();
        params.put("name", tool.path("name").asString()).set("arguments", example);
        messages.add(McpCaller.message("tools/call", params));
      }
    }
    return messages;
  }

  private static ObjectNode prompt() {
    ObjectNode params = Json.mapper().createObjectNode().put("name", "support");
    params.putObject("arguments").put("user_message", "Where is it?");
    return params;
  }

  private static ObjectNode listening() {
    ObjectNode params = Json.mapper().createObjectNode();
    ObjectNode wanted = params.putObject("notifications").put("resourcesListChanged", true);
    wanted.putArray("resourceSubscriptions").add("memory://knowledge-graph");
    return params;
  }

  @Test
  @DisplayName("Hostile messages are answered, and the next right one is")
  void survivesAWhile() {
    RandomGenerator random = new SplittableRandom(Seed.VALUE);
    for (int i = 0; i < QUICK; i++) {
      attack(random);
    }
    assertThat(mcp.legacy("ping", "{}").status()).isEqualTo(200);
  }

  @Test
  @Tag("long")
  @SystemAccess("it lasts ten minutes of this machine's time, or what -Dcaliber.hostile says")
  @DisplayName("Ten minutes of hostile messages are answered, and the next right one is")
  void survivesTenMinutes() {
    RandomGenerator random = new SplittableRandom(Seed.VALUE);
    for (long end = System.nanoTime() + LONG.toNanos(); System.nanoTime() < end; ) {
      attack(random);
    }
    assertThat(mcp.legacy("ping", "{}").status()).isEqualTo(200);
    LOG.info("{} of hostile messages, answered by status: {}", LONG, answers);
  }

  private void attack(RandomGenerator random) {
    ObjectNode message = right.get(random.nextInt(right.size())).deepCopy();
    boolean modern = random.nextBoolean();
    if (modern) {
      McpCaller.declaring((ObjectNode) message.path("params"), McpCaller.MODERN);
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      change(message, random);
    }
    byte[] bytes = McpCaller.escaped(message.toString()).getBytes(StandardCharsets.UTF_8);
    byte[] sent = random.nextInt(4) == 0 ? broken(bytes, random) : bytes;
    HttpRequest.Builder request =
        mcp.request()
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(sent));
    if (modern && random.nextInt(8) > 0) {
      request
          .header("MCP-Protocol-Version", McpCaller.MODERN)
          .header("Mcp-Method", printable(message.path("method").asString("x")))
          .header("Mcp-Name", printable(subject(message)));
    }
    Heard heard = hear(request.build());
    assertThat(heard.status())
        .as(() -> shown(new String(sent, StandardCharsets.UTF_8)) + "\n" + heard.text())
        .isIn(200, 202, 400, 404);
    assertThat(heard.text()).doesNotContain("_INTERNAL", "-32603");
    answers.merge(heard.kind(), 1, Integer::sum);
  }

  /** An answer; of a stream, only its start. */
  private record Heard(int status, boolean streams, String text) {
    String kind() {
      return status + (streams ? " and a stream" : "");
    }
  }

  private Heard hear(HttpRequest request) {
    try {
      HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
      String type = answer.headers().firstValue("Content-Type").orElse("");
      boolean streams = type.startsWith("text/event-stream");
      try (InputStream body = answer.body()) {
        byte[] said = streams ? new byte[0] : body.readAllBytes();
        return new Heard(answer.statusCode(), streams, new String(said, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String shown(String text) {
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
  }

  private static String subject(JsonNode message) {
    return message.at("/params/name").asString(message.at("/params/uri").asString("x"));
  }

  private static String printable(String text) {
    String safe = text.replaceAll("[^\\x21-\\x7e]", "?");
    return safe.isEmpty() ? "?" : safe.substring(0, Math.min(safe.length(), SHOWN));
  }

  /** Changes one place of the message. */
  private static void change(JsonNode node, RandomGenerator random) {
    JsonNode place = node;
    while (place.isContainer() && !place.isEmpty()) {
      int chosen = random.nextInt(place.size());
      JsonNode next = place.valueStream().skip(chosen).findFirst().orElseThrow();
      if (!next.isContainer() || next.isEmpty() || random.nextInt(3) == 0) {
        replace(place, chosen, random);
        return;
      }
      place = next;
    }
  }

  private static void replace(JsonNode container, int chosen, RandomGenerator random) {
    JsonNode value = value(random);
    if (container instanceof ObjectNode object) {
      String name = object.propertyNames().stream().skip(chosen).findFirst().orElseThrow();
      switch (random.nextInt(3)) {
        case 0 -> object.remove(name);
        case 1 -> object.set(name + random.nextInt(9), value);
        default -> object.set(name, value);
      }
    } else if (container instanceof ArrayNode array) {
      array.set(chosen, value);
    }
  }

  private static JsonNode value(RandomGenerator random) {
    var nodes = Json.mapper().getNodeFactory();
    return switch (random.nextInt(12)) {
      case 0 -> nodes.nullNode();
      case 1 -> nodes.booleanNode(random.nextBoolean());
      case 2 -> nodes.numberNode(random.nextInt());
      case 3 -> nodes.numberNode(random.nextDouble() * Double.MAX_VALUE);
      case 4 -> nodes.stringNode("");
      case 5 -> nodes.stringNode("\u0000\ud800\n\u202e" + random.nextInt());
      case 6 -> nodes.stringNode("x".repeat(random.nextInt(200_000)));
      case 7 -> nodes.arrayNode();
      case 8 -> nodes.objectNode();
      case 9 -> nested(1 + random.nextInt(400));
      case 10 -> nodes.stringNode("01JD0000000000000000000000");
      default -> nodes.arrayNode().add(random.nextLong()).add("a").addNull();
    };
  }

  private static JsonNode nested(int depth) {
    JsonNode inner = Json.mapper().createArrayNode();
    for (int i = 0; i < depth; i++) {
      inner = Json.mapper().createArrayNode().add(inner);
    }
    return inner;
  }

  private static byte[] broken(byte[] bytes, RandomGenerator random) {
    byte[] broken = bytes.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      broken[random.nextInt(broken.length)] = (byte) random.nextInt();
    }
    return random.nextBoolean() ? broken : Arrays.copyOf(broken, random.nextInt(broken.length));
  }
}
