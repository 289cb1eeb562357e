package dev.caliber.server;

import dev.caliber.client.CaliberClient;
import dev.caliber.kernel.Json;
import dev.caliber.server.ContractDocument.Route;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests to each operation of the contract, with ids and names of two subjects. */
@NullMarked
final class SubjectRequests {
  static final String UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  private static final String LATER = "2100-01-01T00:00:00Z";

  /** Operations that use POST and only read. */
  private static final Set<String> READING = Set.of("recall", "assemble_context", "search");

  private final ContractDocument contract = new ContractDocument();
  private final LeastRequests least = new LeastRequests(contract);
  private final TestServer server;
  private final SubjectWorld alice;
  private final SubjectWorld bob;

  SubjectRequests(TestServer server, SubjectWorld alice, SubjectWorld bob) {
    this.server = server;
    this.alice = alice;
    this.bob = bob;
  }

  /** Returns the routes, reading ones first, while all records exist. */
  List<Route> routes() {
    Map<String, Route> routes = new TreeMap<>();
    for (Route route : contract.routes()) {
      String operation = contract.operation(route).path("x-caliber-operation").asString("");
      if (!operation.isEmpty()) {
        routes.put((isReading(route) ? "1 " : "2 ") + operation + route.path(), route);
      }
    }
    return List.copyOf(routes.values());
  }

  boolean isReading(Route route) {
    return route.method().equals("GET") || READING.contains(operation(route));
  }

  String operation(Route route) {
    return contract.operation(route).path("x-caliber-operation").asString();
  }

  /**
   * Returns inputs of an operation with the ids and names of both subjects, one property at a time.
   */
  List<ObjectNode> inputs(Route route) {
    List<ObjectNode> inputs = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    List<String> ids = new ArrayList<>(alice.ids());
    ids.addAll(bob.ids());
    for (String id : ids) {
      ObjectNode base = least(route);
      replaceIds(base, id);
      add(inputs, seen, base);
      for (String property : optional(route)) {
        ObjectNode more = base.deepCopy();
        switch (property) {
          case "trajectory", "scope", "id", "parent", "window" -> more.put(property, id);
          case "session" -> {
            more.put(property, alice.session());
            add(inputs, seen, more.deepCopy().put(property, alice.endedSession()));
            add(inputs, seen, more.deepCopy().put(property, bob.session()));
          }
          case "subject" -> more.put(property, "alice");
          case "subjects" -> more.putArray(property).add("alice");
          case "types" -> more.putArray(property).add("TURN");
          case "as_of", "valid_at", "created_until" -> more.put(property, LATER);
          case "query" -> more.put(property, "secret");
          default -> {}
        }
        add(inputs, seen, more);
      }
    }
    return inputs;
  }

  private static void add(List<ObjectNode> inputs, Set<String> seen, ObjectNode input) {
    if (seen.add(input.toString())) {
      inputs.add(input);
    }
  }

  private List<String> optional(Route route) {
    List<String> names = new ArrayList<>();
    contract.resolved(contract.body(route)).path("properties").propertyNames().forEach(names::add);
    parameters(route).stream()
        .filter(one -> one.path("in").asString().equals("query"))
        .forEach(one -> names.add(one.path("name").asString()));
    return names;
  }

  private List<JsonNode> parameters(Route route) {
    return contract
        .operation(route)
        .path("parameters")
        .valueStream()
        .map(contract::resolved)
        .toList();
  }

  ObjectNode least(Route route) {
    ObjectNode input =
        contract.body(route).isMissingNode() ? Json.mapper().createObjectNode() : least.body(route);
    for (JsonNode one : parameters(route)) {
      String name = one.path("name").asString();
      if (one.path("in").asString().equals("path")) {
        input.put(
            name,
            switch (name) {
              case "session" -> alice.session();
              case "agent" -> "agent-of-alice";
              default -> UNKNOWN;
            });
      } else if (one.path("in").asString().equals("query")
          && one.path("required").asBoolean(false)) {
        if (one.path("schema").path("type").asString("").equals("integer")) {
          input.put(name, 1);
        } else {
          input.put(name, name.equals("other") ? UNKNOWN : "agent-of-alice");
        }
      }
    }
    for (String list : List.of("turns", "artifacts")) {
      input.path(list).forEach(one -> ((ObjectNode) one).put("text", "hello"));
    }
    if (input.has("query")) {
      input.put("query", "secret");
    }
    return input;
  }

  static void replaceIds(ObjectNode input, String id) {
    input
        .propertyStream()
        .filter(property -> property.getValue().asString("").equals(UNKNOWN))
        .toList()
        .forEach(property -> input.put(property.getKey(), id));
  }

  /** Puts the input into path, query and body, as the contract defines. */
  HttpRequest.Builder request(Route route, ObjectNode input) {
    ObjectNode body = input.deepCopy();
    String path = route.path().substring(TestServer.BASE.length());
    List<String> query = new ArrayList<>();
    for (String name : List.copyOf(input.propertyNames())) {
      if (path.contains("{" + name + "}")) {
        path =
            path.replace(
                "{" + name + "}", CaliberClient.encodePathSegment(body.remove(name).asString()));
      } else if (route.method().equals("GET")) {
        query.add(name + "=" + CaliberClient.encodePathSegment(body.remove(name).asString()));
      }
    }
    HttpRequest.Builder request =
        server.request(path + (query.isEmpty() ? "" : "?" + String.join("&", query)));
    return switch (route.method()) {
      case "GET" -> request.GET();
      case "DELETE" -> request.DELETE();
      default -> TestServer.json(request, body.toString());
    };
  }
}
