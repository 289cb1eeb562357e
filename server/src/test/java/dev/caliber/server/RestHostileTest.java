package dev.caliber.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.Seam;
import dev.caliber.server.ContractDocument.Route;
import dev.caliber.server.TestServer.Reply;
import dev.caliber.testkit.Seed;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests by somebody who has read the contract and means harm. */
@Timeout(900)
class RestHostileTest {
  private static final int QUICK = 600;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int SHOWN = 500;
  private static final int DEEPEST = 4;
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "x",
          "\u0000",
          "a\u0000b",
          "\ud83d\ude00",
          "\u202e",
          "note",
          "FACT",
          "READ",
          "USER",
          "PERMANENT",
          "default",
          "team-a",
          "caliber.server",
          "01JD0000000000000000000000",
          "zzzzzzzzzzzzzzzzzzzzzzzzzz",
          "2026-01-01T00:00:00Z",
          "9999999999999-12-31T00:00:00Z",
          "P1D",
          "1d",
          "-1s",
          "99999999999999999999d",
          "../../etc/passwd",
          "%s%n",
          "'; DROP TABLE note; --",
          "x".repeat(5000));

  @TempDir Path directory;
  private final ContractDocument contract = new ContractDocument();
  private final List<Route> routes = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(directory);
    contract.routes().stream()
        .filter(route -> !route.path().endsWith("/events"))
        .forEach(routes::add);
    Set<String> found = new TreeSet<>();
    routes.forEach(route -> collect(contract.operation(route), found));
    names.addAll(found);
    names.add("__proto__");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void collect(JsonNode node, Set<String> found) {
    node.path("properties").forEachEntry((name, _) -> found.add(name));
    node.forEachEntry((_, value) -> collect(value, found));
    for (JsonNode element : node.isArray() ? node : Json.mapper().createArrayNode()) {
      collect(element, found);
    }
  }

  @Test
  @DisplayName("ERR-08: hostile requests are refused, never failures, and the next right one works")
  void survivesAWhile() {
    RandomGenerator random = new SplittableRandom(Seed.VALUE);
    for (int i = 0; i < QUICK; i++) {
      attack(random);
    }
    assertThat(server.post("/remember", "{\"text\": \"Still here\"}").status()).isEqualTo(200);
  }

  @Test
  @Tag("long")
  @Seam("it lasts ten minutes of this machine's time")
  @DisplayName("ERR-08: ten minutes of hostile requests are refused, and the next right one works")
  void survivesTenMinutes() {
    RandomGenerator random = new SplittableRandom(Seed.VALUE);
    for (long end = System.nanoTime() + LONG.toNanos(); System.nanoTime() < end; ) {
      attack(random);
    }
    assertThat(server.post("/remember", "{\"text\": \"Still here\"}").status()).isEqualTo(200);
  }

  private void attack(RandomGenerator random) {
    Route route = routes.get(random.nextInt(routes.size()));
    String path = route.path().replaceAll("\\{\\w+}", "01JD0000000000000000000000");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri(path + query(random))).timeout(TIMEOUT);
    byte[] body = broken(Json.bytes(object(route, random)), random);
    if (route.method().equals("GET")) {
      request.GET();
    } else {
      request
          .header("Content-Type", random.nextInt(20) == 0 ? "text/plain" : "application/json")
          .POST(BodyPublishers.ofByteArray(body));
    }
    if (random.nextInt(4) == 0) {
      request.header("Idempotency-Key", "k" + random.nextInt(5));
    }
    if (random.nextInt(8) == 0) {
      request.header("If-Match", random.nextBoolean() ? "\"1\"" : "W/\"x\"");
    }
    Reply reply = server.send(request);
    String asked = route + " " + shown(new String(body, StandardCharsets.UTF_8));
    assertThat(reply.status())
        .as(() -> asked + "\n" + reply.body())
        .satisfiesAnyOf(
            status -> assertThat(status).isLessThan(500),
            status -> assertThat(status).isEqualTo(503));
    assertThat(new String(reply.raw().body(), StandardCharsets.UTF_8))
        .as(asked)
        .doesNotContain("at dev.caliber", "_INTERNAL", "Exception:");
  }

  private static String shown(String text) {
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
  }

  private String query(RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0 -> "?limit=" + (random.nextInt(5) - 2);
      case 1 -> "?cursor=AAAA";
      case 2 -> "?" + names.get(random.nextInt(names.size())) + "=%00";
      default -> "";
    };
  }

  /** Mostly the properties of the operation, with values of any kind. */
  private ObjectNode object(Route route, RandomGenerator random) {
    Set<String> own = new TreeSet<>();
    collect(contract.operation(route).path("requestBody"), own);
    ObjectNode object = Json.mapper().createObjectNode();
    for (String name : own) {
      if (random.nextInt(3) > 0) {
        object.set(name, value(random, DEEPEST));
      }
    }
    if (random.nextInt(3) == 0) {
      object.set(names.get(random.nextInt(names.size())), value(random, DEEPEST));
    }
    return object;
  }

  private JsonNode value(RandomGenerator random, int depth) {
    var make = Json.mapper().getNodeFactory();
    return switch (random.nextInt(depth > 0 ? 9 : 6)) {
      case 0 -> make.nullNode();
      case 1 -> make.booleanNode(random.nextBoolean());
      case 2 -> make.numberNode(random.nextLong());
      case 3 -> make.numberNode(random.nextInt(5) - 2);
      case 4, 5 -> make.stringNode(TEXTS.get(random.nextInt(TEXTS.size())));
      case 6 -> list(random, depth - 1);
      default -> {
        ObjectNode object = make.objectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          object.set(names.get(random.nextInt(names.size())), value(random, depth - 1));
        }
        yield object;
      }
    };
  }

  private ArrayNode list(RandomGenerator random, int depth) {
    ArrayNode list = Json.mapper().createArrayNode();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(value(random, depth));
    }
    return list;
  }

  /** Now and then a byte is another, or the end is missing. */
  private static byte[] broken(byte[] body, RandomGenerator random) {
    byte[] changed = body.clone();
    if (random.nextInt(8) == 0) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    return random.nextInt(12) == 0
        ? java.util.Arrays.copyOf(changed, random.nextInt(changed.length))
        : changed;
  }
}
