package dev.caliber.server.operation;

import dev.caliber.client.ApiDefinitions;
import dev.caliber.kernel.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The contract, {@code openapi.yaml}, parsed once per process. It alone states the paths, the
 * summary, the right, the input and the answer of an operation.
 */
public final class ApiContract {
  private static final String OPERATION = "x-caliber-operation";
  private static final String PROPERTIES = "properties";
  private static final String REFERENCE = "$ref";
  private static final String REQUIRED = "required";
  private static final String SCHEMA = "schema";

  private final JsonNode document;
  private final Map<String, List<ContractRoute>> operations = new LinkedHashMap<>();
  private final Map<String, Set<String>> required = new ConcurrentHashMap<>();

  private ApiContract(JsonNode document) {
    this.document = document;
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue().properties().stream()
                    .filter(method -> method.getValue().has(OPERATION))
                    .map(method -> route(method.getKey(), path.getKey(), method.getValue()))
                    .forEach(this::addRoute));
  }

  private static ContractRoute route(String method, String path, JsonNode definition) {
    return new ContractRoute(
        method.toUpperCase(Locale.ROOT),
        path,
        definition.path(OPERATION).asString(),
        AccessRight.valueOf(definition.path("x-caliber-right").asString().toUpperCase(Locale.ROOT)),
        definition);
  }

  private void addRoute(ContractRoute route) {
    operations.computeIfAbsent(route.operation(), _ -> new ArrayList<>()).add(route);
  }

  /** The holder of the parsed document. */
  private static final class ParsedContract {
    static final ApiContract CONTRACT =
        new ApiContract(new YAMLMapper().readTree(ApiDefinitions.openApi()));
  }

  /** Parses the contract beside the caller's work, such as the opening of a store. */
  public static void parseInBackground() {
    Thread.ofVirtual().name("caliber-contract").start(ApiContract::instance);
  }

  /** The parsed contract; the first call parses it. */
  public static ApiContract instance() {
    return ParsedContract.CONTRACT;
  }

  /** A method and a path under which an operation is served. */
  public record ContractRoute(
      String method, String path, String operation, AccessRight right, JsonNode definition) {}

  public List<ContractRoute> routes() {
    return operations.values().stream().flatMap(List::stream).toList();
  }

  /** The names of the operations, in the order of the document. */
  public Set<String> operations() {
    return operations.keySet();
  }

  /** The routes of one operation; empty if the contract does not have it. */
  public List<ContractRoute> routes(String operation) {
    return operations.getOrDefault(operation, List.of());
  }

  /** The right that an operation needs; empty if the contract does not have it. */
  public Optional<AccessRight> right(String operation) {
    return routes(operation).stream().findFirst().map(ContractRoute::right);
  }

  /**
   * The properties of an operation's input by name: the parameters of its paths and queries, then
   * the properties of its bodies.
   */
  public ObjectNode inputProperties(String operation) {
    ObjectNode all = Json.mapper().createObjectNode();
    for (ContractRoute route : routes(operation)) {
      parameters(route).forEach(one -> all.set(one.path("name").asString(), one.path(SCHEMA)));
      bodySchema(route)
          .path(PROPERTIES)
          .properties()
          .forEach(one -> all.set(one.getKey(), one.getValue()));
    }
    return all;
  }

  /** The names of the properties that each route of the operation requires. */
  public Set<String> requiredProperties(String operation) {
    return required.computeIfAbsent(operation, this::findRequired);
  }

  private Set<String> findRequired(String operation) {
    return routes(operation).stream()
        .map(this::requiredProperties)
        .reduce(
            (one, other) -> {
              one.retainAll(other);
              return one;
            })
        .orElseGet(Set::of);
  }

  private Set<String> requiredProperties(ContractRoute route) {
    return Stream.concat(
            parameters(route)
                .filter(one -> one.path(REQUIRED).asBoolean(false))
                .map(one -> one.path("name").asString()),
            bodySchema(route).path(REQUIRED).valueStream().map(JsonNode::asString))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private Stream<JsonNode> parameters(ContractRoute route) {
    return route
        .definition()
        .path("parameters")
        .valueStream()
        .map(this::resolve)
        .filter(one -> !one.path("in").asString().equals("header"));
  }

  private JsonNode bodySchema(ContractRoute route) {
    return resolve(jsonSchema(route.definition().path("requestBody")));
  }

  /** The schema of an operation's answer, which may be a reference. */
  public JsonNode answerSchema(String operation) {
    return jsonSchema(routes(operation).getFirst().definition().path("responses").path("200"));
  }

  private static JsonNode jsonSchema(JsonNode holder) {
    return holder.path("content").path("application/json").path(SCHEMA);
  }

  /** The schemas that others refer to, by name. */
  public JsonNode schemas() {
    return document.path("components").path("schemas");
  }

  /** Returns the node that a reference points to; any other node is returned itself. */
  public JsonNode resolve(JsonNode node) {
    return node.has(REFERENCE) ? document.at(node.path(REFERENCE).asString().substring(1)) : node;
  }
}
