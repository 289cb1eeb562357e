package dev.caliber.server;

import dev.caliber.kernel.Json;
import dev.caliber.server.ContractDocument.Route;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The smallest request that the contract allows, for each of its routes. */
@NullMarked
record LeastRequests(ContractDocument contract) {
  private static final String ID = "01JD0000000000000000000000";

  /** Returns the path with an id for each parameter, and the required query. */
  String path(Route route) {
    String query =
        contract
            .operation(route)
            .path("parameters")
            .valueStream()
            .map(contract::resolved)
            .filter(one -> one.path("in").asString().equals("query"))
            .filter(one -> one.path("required").asBoolean(false))
            .map(one -> one.path("name").asString() + "=" + least(one.path("schema")).asString())
            .collect(Collectors.joining("&"));
    return route
            .path()
            .substring(TestServer.BASE.length())
            .replace("{agent}", "keeper")
            .replace("{session}", "s")
            .replaceAll("\\{\\w+}", ID)
        + (query.isEmpty() ? "" : "?" + query);
  }

  ObjectNode body(Route route) {
    return (ObjectNode) least(contract.body(route));
  }

  private JsonNode least(JsonNode declared) {
    JsonNode schema = contract.resolved(declared);
    if (schema.has("oneOf")) {
      return least(schema.path("oneOf").path(0));
    }
    if (declared.path("$ref").asString("").endsWith("/Address")) {
      return Json.mapper().createObjectNode().put("type", "guard");
    }
    return switch (schema.path("type").asString("object")) {
      case "array" -> Json.mapper().createArrayNode();
      case "integer", "number" -> Json.mapper().getNodeFactory().numberNode(1);
      case "boolean" -> Json.mapper().getNodeFactory().booleanNode(true);
      case "string" -> Json.mapper().getNodeFactory().stringNode(text(declared, schema));
      default -> object(schema);
    };
  }

  private ObjectNode object(JsonNode schema) {
    ObjectNode made = Json.mapper().createObjectNode();
    schema
        .path("required")
        .forEach(
            name ->
                made.set(name.asString(), least(schema.path("properties").path(name.asString()))));
    return made;
  }

  private static String text(JsonNode declared, JsonNode schema) {
    if (schema.has("enum")) {
      return schema.path("enum").path(0).asString();
    }
    if (declared.path("$ref").asString("").endsWith("/Id")) {
      return ID;
    }
    return switch (schema.path("format").asString("")) {
      case "date-time" -> "2100-01-01T00:00:00Z";
      case "uri" -> "http://127.0.0.1:9/";
      default -> "text";
    };
  }
}
