package dev.caliber.server;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.caliber.client.ApiDefinitions;
import dev.caliber.kernel.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The contract, {@code openapi.yaml}, as a test reads it. */
@NullMarked
final class ContractDocument {
  private static final String COMPONENTS = "components";
  private static final String LINES = "application/x-ndjson";

  private final JsonNode document = new YAMLMapper().readTree(ApiDefinitions.openApi());
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  /** A method and a path with its parameters. */
  record Route(String method, String path) implements Comparable<Route> {
    @Override
    public int compareTo(Route other) {
      return toString().compareTo(other.toString());
    }

    boolean fits(String wanted, String actual) {
      return method.equals(wanted) && Pattern.matches(path.replaceAll("\\{\\w+}", "[^/]+"), actual);
    }

    private int parameters() {
      return path.split("\\{", -1).length;
    }
  }

  Set<Route> routes() {
    TreeSet<Route> routes = new TreeSet<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .propertyNames()
                    .forEach(
                        method ->
                            routes.add(new Route(method.toUpperCase(Locale.ROOT), path.getKey()))));
    return routes;
  }

  Optional<Route> route(String method, String path) {
    return routes().stream()
        .filter(route -> route.fits(method, path))
        .min(java.util.Comparator.comparingInt(Route::parameters));
  }

  JsonNode operation(Route route) {
    return document.path("paths").path(route.path()).path(route.method().toLowerCase(Locale.ROOT));
  }

  /** Returns the schema of a request's JSON body. */
  JsonNode body(Route route) {
    return operation(route)
        .path("requestBody")
        .path("content")
        .path("application/json")
        .path("schema");
  }

  boolean takesFence(Route route) {
    return resolved(body(route)).path("properties").has("fence");
  }

  /** Returns the faults of a request's JSON body. */
  List<String> requestFaults(Route route, JsonNode body) {
    return faults("request " + route, body(route), body);
  }

  /** Returns the faults of an answer: its status, its type, its body. */
  List<String> answerFaults(Route route, TestServer.Reply reply) {
    JsonNode responses = operation(route).path("responses");
    String status = Integer.toString(reply.status());
    JsonNode response =
        resolved(responses.has(status) ? responses.path(status) : responses.path("default"));
    String type = reply.header("Content-Type").split(";", 2)[0];
    JsonNode content = response.path("content").path(type);
    if (content.isMissingNode()) {
      return List.of("%s answers %s with '%s'".formatted(route, status, type));
    }
    String name = "answer %s %s".formatted(route, status);
    if (type.equals(LINES)) {
      return lineFaults(name, lineSchema(response), reply.raw().body());
    }
    return type.contains("json") ? faults(name, content.path("schema"), reply.body()) : List.of();
  }

  /** Returns whether a list is also available as lines. */
  boolean hasLines(Route route) {
    return operation(route).path("responses").path("200").path("content").has(LINES);
  }

  /** Returns the schema of a line: its own, or that of a record of the same list. */
  private JsonNode lineSchema(JsonNode response) {
    JsonNode content = response.path("content");
    JsonNode own = content.path(LINES).path("x-caliber-line");
    return own.isMissingNode()
        ? resolved(content.path("application/json").path("schema")).at("/properties/items/items")
        : own;
  }

  /** Returns the faults of sent lines. */
  List<String> requestLineFaults(Route route, String lines) {
    JsonNode content = operation(route).path("requestBody").path("content").path(LINES);
    return lineFaults(
        "request " + route, content.path("x-caliber-line"), lines.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> lineFaults(String name, JsonNode schema, byte[] lines) {
    return new String(lines, StandardCharsets.UTF_8)
        .lines()
        .flatMap(line -> faults(name + " line", schema, Json.mapper().readTree(line)).stream())
        .toList();
  }

  /** Returns the faults of an event's data. */
  List<String> eventFaults(Route route, String event, String data) {
    JsonNode schema =
        operation(route)
            .at("/responses/200/content/text~1event-stream/x-caliber-events")
            .path(event);
    return schema.isMissingNode()
        ? List.of("%s tells of '%s'".formatted(route, event))
        : faults("event %s of %s".formatted(event, route), schema, Json.mapper().readTree(data));
  }

  JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asString().substring(1)) : node;
  }

  private List<String> faults(String name, JsonNode schema, JsonNode body) {
    List<String> faults = new ArrayList<>();
    for (Error error : schemas.computeIfAbsent(name, _ -> compiled(schema)).validate(body)) {
      faults.add(name + ": " + error);
    }
    return faults;
  }

  private Schema compiled(JsonNode schema) {
    ObjectNode whole = ((ObjectNode) schema).deepCopy();
    whole.set(COMPONENTS, document.path(COMPONENTS));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(whole);
  }
}
