package dev.caliber.server;

import dev.caliber.kernel.Json;
import dev.caliber.server.ContractDocument.Route;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests that start valid, with ids of earlier answers, and then get faults: in values,
 * properties, paths, parameters, headers and bytes.
 */
@NullMarked
final class HostileRequests {
  private static final JsonNodeFactory MAKE = Json.mapper().getNodeFactory();
  private static final int DEEPEST = 5;
  private static final int KNOWN = 400;
  private static final String ID = "[0-9A-HJKMNP-TV-Z]{26}";
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "x",
          "\u0000",
          "a\u0000b",
          "\ud83d\ude00",
          "\ud800",
          "a\udc00b",
          "\u202e",
          "note",
          "default",
          "team-a",
          "caliber.server",
          "01JD0000000000000000000000",
          "zzzzzzzzzzzzzzzzzzzzzzzzzz",
          "2026-01-01T00:00:00Z",
          "2026-13-41T25:61:61Z",
          "9999999999999-12-31T00:00:00Z",
          "+1000000000-12-31T23:59:59.999999999Z",
          "-1000000000-01-01T00:00:00Z",
          "P1D",
          "0s",
          "-1s",
          "99999999999999999999d",
          "9223372036854775807ms",
          "../../etc/passwd",
          "%s%n",
          "'; DROP TABLE note; --",
          "\"*\" OR (a AND",
          "title:[* TO *]~99^-1",
          "<script>alert(1)</script>",
          "file:///etc/passwd",
          "http://[::1",
          "{\"kind\": \"text\"}",
          "x".repeat(5000));

  /** Occasional faults in a path segment or a query value. */
  private static final List<String> ESCAPES =
      List.of(
          "%u0041",
          "%uD800",
          "%zz",
          "%",
          "%4",
          "%00",
          "%0a",
          "%ff",
          "%2f",
          "%5c",
          "%252e%252e",
          "%25u0041",
          "%c0%ae",
          "%ed%a0%80",
          "%f4%90%80%80");

  private static final List<String> TYPES =
      List.of(
          "text/plain",
          "application/x-ndjson",
          "application/json; charset=utf-16",
          "application/json; charset=nonsense",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
          "multipart/form-data; boundary=x",
          "multipart/form-data; boundary=",
          "nonsense",
          ";");
  private static final List<String> HEADERS =
      List.of(
          "If-Match",
          "If-None-Match",
          "Accept",
          "Accept-Encoding",
          "Content-Encoding",
          "Caliber-Space",
          "Caliber-Csrf",
          "Cookie",
          "Authorization",
          "Origin",
          "Forwarded",
          "Last-Event-ID",
          "Range",
          "X-HTTP-Method-Override",
          "traceparent");
  private static final List<String> HEADER_TEXTS =
      List.of(
          "",
          "x",
          "\"1\"",
          "W/\"x\"",
          "\"99999999999999999999\"",
          "*",
          "*/*;q=nan",
          "application/x-ndjson",
          "gzip",
          "gzip, br;q=2",
          "default",
          "team-a",
          "nowhere",
          "caliber.server",
          "Bearer",
          "Bearer cal_01JD0000000000000000000000_x",
          "Basic eDp4",
          "caliber_login=x",
          "caliber_login=\"",
          "null",
          "http://evil.example",
          "1-1",
          "bytes=0-",
          "00-00000000000000000000000000000000-0000000000000000-00",
          "x".repeat(3000));

  private final ContractDocument contract;
  private final RandomGenerator random;
  private final List<Route> routes;
  private final Map<String, JsonNode> inputs = new TreeMap<>();
  private final List<String> ids = new ArrayList<>();
  private final List<String> words = new ArrayList<>(TEXTS);

  HostileRequests(ContractDocument contract, RandomGenerator random) {
    this.contract = contract;
    this.random = random;
    this.routes = List.copyOf(contract.routes());
    for (Route route : routes) {
      JsonNode operation = contract.operation(route);
      if (operation.has("x-caliber-operation")) {
        inputs.put(operation.path("x-caliber-operation").asString(), schema(operation));
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // sent once, never compared
  record Hostile(
      Route route, String method, String path, Map<String, String> headers, byte[] body) {
    String shown() {
      String text = new String(body, StandardCharsets.UTF_8);
      return "%s %s %s%n%s"
          .formatted(
              method, path, headers, text.length() > KNOWN ? text.substring(0, KNOWN) + "…" : text);
    }
  }

  Hostile next() {
    Route route = routes.get(random.nextInt(routes.size()));
    JsonNode operation = contract.operation(route);
    Map<String, String> headers = new TreeMap<>();
    byte[] body = route.method().equals("GET") ? new byte[0] : body(route, operation, headers);
    while (random.nextInt(3) == 0) {
      headers.put(one(HEADERS), one(HEADER_TEXTS));
    }
    if (random.nextInt(4) == 0) {
      headers.put("Idempotency-Key", "k" + random.nextInt(20));
    }
    boolean head = route.method().equals("GET") && random.nextInt(4) == 0;
    return new Hostile(
        route, head ? "HEAD" : route.method(), path(route) + query(operation), headers, body);
  }

  /** Collects ids, names and cursors of an answer for later requests. */
  void learn(JsonNode answer) {
    if (answer.isString()) {
      String text = answer.asString();
      keep(text.matches(ID) ? ids : words, text);
    }
    answer.forEach(this::learn);
  }

  private void keep(List<String> known, String text) {
    if (text.length() > KNOWN) {
      return;
    }
    if (known.size() < KNOWN) {
      known.add(text);
    } else {
      known.set(random.nextInt(KNOWN), text);
    }
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String id() {
    return ids.isEmpty() || random.nextInt(5) == 0 ? one(words) : one(ids);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String value(String text) {
    return random.nextInt(12) == 0 ? one(ESCAPES) : encoded(text);
  }

  private String named() {
    return value(id());
  }

  private static byte[] bytes(JsonNode json) {
    return McpCaller.escaped(Json.text(json)).getBytes(StandardCharsets.UTF_8);
  }

  private String path(Route route) {
    StringBuilder path = new StringBuilder();
    for (String step : route.path().substring(1).split("/", -1)) {
      path.append('/').append(step.startsWith("{") ? named() : step);
    }
    return switch (random.nextInt(40)) {
      case 0 -> path + "/";
      case 1 -> path + "/%2e%2e/%2e%2e/etc/passwd";
      case 2 -> path + ";a=b";
      case 3 -> "/" + path;
      default -> path.toString();
    };
  }

  private String query(JsonNode operation) {
    List<String> parts = new ArrayList<>();
    for (JsonNode declared : operation.path("parameters")) {
      JsonNode parameter = contract.resolved(declared);
      if (parameter.path("in").asString("").equals("query") && random.nextInt(3) == 0) {
        JsonNode wanted = good(parameter.path("schema"), DEEPEST);
        String text = random.nextInt(2) == 0 ? one(words) : wanted.asString(wanted.toString());
        parts.add(parameter.path("name").asString() + "=" + value(text));
      }
    }
    if (random.nextInt(20) == 0) {
      parts.add(encoded(one(words)) + "=" + encoded(one(words)));
    }
    return parts.isEmpty() ? "" : "?" + String.join("&", parts);
  }

  private static JsonNode schema(JsonNode operation) {
    return operation.path("requestBody").path("content").path("application/json").path("schema");
  }

  private byte[] body(Route route, JsonNode operation, Map<String, String> headers) {
    boolean lines = route.path().endsWith("/bulk");
    String type = lines ? "application/x-ndjson" : "application/json";
    headers.put("Content-Type", random.nextInt(25) == 0 ? one(TYPES) : type);
    if (lines) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (int i = random.nextInt(5); i >= 0; i--) {
        all.writeBytes(broken(bytes(step())));
        all.write('\n');
      }
      return all.toByteArray();
    }
    JsonNode wanted = good(schema(operation), DEEPEST);
    if (route.path().endsWith("/commit") && wanted instanceof ObjectNode commit) {
      ArrayNode steps = commit.putArray("operations");
      for (int i = random.nextInt(4); i > 0; i--) {
        steps.add(step());
      }
    }
    return broken(bytes(random.nextInt(3) == 0 ? wanted : wrong(wanted, DEEPEST)));
  }

  /** Returns an operation by its name, as a step of a commit or a bulk request. */
  private ObjectNode step() {
    String operation = one(List.copyOf(inputs.keySet()));
    ObjectNode step = MAKE.objectNode();
    step.put("operation", random.nextInt(20) == 0 ? one(words) : operation);
    JsonNode input = good(inputs.getOrDefault(operation, MAKE.missingNode()), DEEPEST);
    step.set("input", random.nextBoolean() ? input : wrong(input, DEEPEST));
    return step;
  }

  /** Returns a value that matches the schema, as far as a schema can say. */
  private JsonNode good(JsonNode declared, int depth) {
    JsonNode schema = contract.resolved(declared);
    if (schema.has("const")) {
      return schema.path("const");
    }
    if (schema.has("enum")) {
      return schema.path("enum").get(random.nextInt(schema.path("enum").size()));
    }
    if (schema.has("oneOf")) {
      return good(schema.path("oneOf").get(random.nextInt(schema.path("oneOf").size())), depth);
    }
    JsonNode type = schema.path("type");
    return switch (type.isArray() ? type.get(random.nextInt(type.size())).asString() : name(type)) {
      case "object" -> object(schema, depth);
      case "array" -> list(schema, depth);
      case "integer" -> MAKE.numberNode(random.nextInt(20));
      case "number" -> MAKE.numberNode(random.nextDouble());
      case "boolean" -> MAKE.booleanNode(random.nextBoolean());
      case "string" -> MAKE.stringNode(text(declared, schema));
      default -> any(depth);
    };
  }

  private static String name(JsonNode type) {
    return type.asString("");
  }

  private String text(JsonNode declared, JsonNode schema) {
    String named = declared.path("$ref").asString("");
    if (named.endsWith("/Id")) {
      return id();
    }
    if (named.endsWith("/Duration")) {
      return one(List.of("1ms", "20ms", "1s"));
    }
    if (named.endsWith("/AgentId")) {
      return one(List.of("a", "b", "c"));
    }
    return schema.path("format").asString("").equals("date-time")
        ? "20%02d-01-01T00:00:00Z".formatted(random.nextInt(100))
        : one(words);
  }

  private JsonNode object(JsonNode schema, int depth) {
    ObjectNode made = MAKE.objectNode();
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asString()));
    schema
        .path("properties")
        .forEachEntry(
            (name, value) -> {
              if (required.contains(name) || (depth > 0 && random.nextInt(4) == 0)) {
                made.set(name, good(value, depth - 1));
              }
            });
    if (schema.path("additionalProperties").isObject() && depth > 0) {
      made.set(one(words), good(schema.path("additionalProperties"), depth - 1));
    }
    return made;
  }

  private JsonNode list(JsonNode schema, int depth) {
    ArrayNode made = MAKE.arrayNode();
    for (int i = depth > 0 ? random.nextInt(3) : 0; i > 0; i--) {
      made.add(good(schema.path("items"), depth - 1));
    }
    return made;
  }

  /** Returns the value with some faults. */
  private JsonNode wrong(JsonNode value, int depth) {
    if (random.nextInt(6) == 0) {
      return any(depth);
    }
    if (value instanceof ObjectNode object) {
      ObjectNode made = MAKE.objectNode();
      object.forEachEntry(
          (name, child) -> {
            if (random.nextInt(12) > 0) {
              made.set(name, wrong(child, depth - 1));
            }
          });
      if (random.nextInt(10) == 0) {
        made.set(random.nextBoolean() ? "__proto__" : one(words), any(2));
      }
      return made;
    }
    if (value instanceof ArrayNode array) {
      ArrayNode made = MAKE.arrayNode();
      int times = random.nextInt(30) == 0 ? 300 : 1;
      for (int i = 0; i < times; i++) {
        array.forEach(child -> made.add(wrong(child, depth - 1)));
      }
      return made;
    }
    return value;
  }

  private JsonNode any(int depth) {
    return switch (random.nextInt(depth > 0 ? 10 : 7)) {
      case 0 -> MAKE.nullNode();
      case 1 -> MAKE.booleanNode(random.nextBoolean());
      case 2 -> MAKE.numberNode(random.nextLong());
      case 3 -> MAKE.numberNode(random.nextInt(5) - 2);
      case 4 -> MAKE.numberNode(random.nextDouble() * Double.MAX_VALUE);
      case 5, 6 -> MAKE.stringNode(one(words));
      case 7 -> MAKE.arrayNode().add(any(depth - 1)).add(any(depth - 1));
      case 8 -> MAKE.arrayNode().add(MAKE.nullNode());
      default -> {
        ObjectNode object = MAKE.objectNode();
        object.set(one(words), any(depth - 1));
        yield object;
      }
    };
  }

  /** Sometimes changes a byte or cuts off the end. */
  private byte[] broken(byte[] body) {
    byte[] changed = body.clone();
    if (changed.length > 0 && random.nextInt(15) == 0) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    return changed.length > 0 && random.nextInt(25) == 0
        ? Arrays.copyOf(changed, random.nextInt(changed.length))
        : changed;
  }
}
