package dev.caliber.server.mcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.OperationRequest;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The readable resources: trajectories, notes, windows, and the notes as a graph. */
final class McpResources {
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain";
  private static final String SEPARATOR = ":";
  private static final int TITLE_BOUND = 100;

  private final OperationDispatcher operationDispatcher;

  McpResources(OperationDispatcher operationDispatcher) {
    this.operationDispatcher = operationDispatcher;
  }

  /** A part of the resource list; windows are found by their trajectory. */
  private enum ResourceListPart {
    TRAJECTORIES("list_trajectories", ResourceUri.ResourceKind.TRAJECTORY, "goal"),
    NOTES("list_notes", ResourceUri.ResourceKind.NOTE, "content");

    private final String operation;
    private final ResourceUri.ResourceKind resourceKind;
    private final String title;

    ResourceListPart(String operation, ResourceUri.ResourceKind resourceKind, String title) {
      this.operation = operation;
      this.resourceKind = resourceKind;
      this.title = title;
    }
  }

  private record ResourceListPosition(ResourceListPart part, Optional<String> cursor) {
    static ResourceListPosition of(JsonRpcMessage jsonRpcMessage) {
      Optional<JsonNode> cursor = jsonRpcMessage.optionalParameter("cursor");
      if (cursor.isEmpty()) {
        return new ResourceListPosition(ResourceListPart.TRAJECTORIES, Optional.empty());
      }
      String[] parts = cursor.get().asString("").split(SEPARATOR, 2);
      for (ResourceListPart resourceListPart : ResourceListPart.values()) {
        if (parts.length == 2 && resourceListPart.name().equals(parts[0])) {
          return new ResourceListPosition(
              resourceListPart, Optional.of(parts[1]).filter(rest -> !rest.isEmpty()));
        }
      }
      throw McpException.invalidParams("This server did not create the cursor");
    }

    boolean isFirst() {
      return part == ResourceListPart.TRAJECTORIES && cursor.isEmpty();
    }

    Optional<String> next(JsonNode page) {
      if (page.has("next")) {
        return Optional.of(part.name() + SEPARATOR + page.path("next").asString());
      }
      return part == ResourceListPart.TRAJECTORIES
          ? Optional.of(ResourceListPart.NOTES.name() + SEPARATOR)
          : Optional.empty();
    }
  }

  ObjectNode list(JsonRpcMessage jsonRpcMessage, Caller caller) {
    ResourceListPosition resourceListPosition = ResourceListPosition.of(jsonRpcMessage);
    ObjectNode input = Json.mapper().createObjectNode();
    resourceListPosition.cursor().ifPresent(cursor -> input.put("cursor", cursor));
    JsonNode page = runOperation(resourceListPosition.part().operation, input, caller);
    ObjectNode result = Json.mapper().createObjectNode();
    ArrayNode resources = result.putArray("resources");
    if (resourceListPosition.isFirst()) {
      describeResource(resources.addObject(), ResourceUri.GRAPH, "knowledge-graph", JSON)
          .put("description", "All notes as entities, observations and relations.");
    }
    for (JsonNode item : page.path("items")) {
      String id = item.path("id").asString();
      describeResource(
              resources.addObject(),
              resourceListPosition.part().resourceKind.prefix() + id,
              id,
              JSON)
          .put("title", shortTitle(item.path(resourceListPosition.part().title).asString("")));
    }
    resourceListPosition.next(page).ifPresent(next -> result.put("nextCursor", next));
    return result;
  }

  /** Shortens a text to one line of a list. */
  private static String shortTitle(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    if (line.codePointCount(0, line.length()) <= TITLE_BOUND) {
      return line;
    }
    return line.substring(0, line.offsetByCodePoints(0, TITLE_BOUND)) + "…";
  }

  private static ObjectNode describeResource(
      ObjectNode resource, String uri, String name, String type) {
    return resource.put("uri", uri).put("name", name).put("mimeType", type);
  }

  ObjectNode templates() {
    ObjectNode result = Json.mapper().createObjectNode();
    ArrayNode templates = result.putArray("resourceTemplates");
    addTemplate(templates, ResourceUri.ResourceKind.TRAJECTORY, "trajectory", JSON);
    addTemplate(templates, ResourceUri.ResourceKind.NOTE, "note", JSON);
    addTemplate(templates, ResourceUri.ResourceKind.WINDOW, "window", TEXT);
    return result;
  }

  private static void addTemplate(
      ArrayNode to, ResourceUri.ResourceKind resourceKind, String name, String type) {
    to.addObject()
        .put("uriTemplate", resourceKind.prefix() + "{id}")
        .put("name", name)
        .put("mimeType", type);
  }

  ObjectNode readResource(JsonRpcMessage jsonRpcMessage, Caller caller, boolean modern) {
    String text = jsonRpcMessage.requiredText("uri");
    ResourceUri uri =
        ResourceUri.parse(text).orElseThrow(() -> McpException.unknownResource(text, modern));
    ObjectNode input = Json.mapper().createObjectNode();
    uri.id().ifPresent(id -> input.put("id", id.toString()));
    try {
      JsonNode answer = runOperation(uri.kind().readOperation(), input, caller);
      boolean window = uri.kind() == ResourceUri.ResourceKind.WINDOW;
      ObjectNode result = Json.mapper().createObjectNode();
      result
          .putArray("contents")
          .addObject()
          .put("uri", text)
          .put("mimeType", window ? TEXT : JSON)
          .put("text", window ? answer.path("text").asString("") : Json.text(answer));
      return result;
    } catch (CaliberException e) {
      if (e.code().kind() == ErrorKind.NOT_FOUND) {
        throw McpException.unknownResource(text, modern);
      }
      throw e;
    }
  }

  private JsonNode runOperation(String operation, ObjectNode input, Caller caller) {
    return Json.mapper()
        .readTree(operationDispatcher.run(caller, OperationRequest.of(operation, input)).body());
  }
}
