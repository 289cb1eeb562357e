package dev.caliber.server.mcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Json;
import dev.caliber.server.operation.Call;
import dev.caliber.server.operation.Caller;
import dev.caliber.server.operation.Operations;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What can be read by address: trajectories, notes, windows, and the notes as a graph. */
final class Resources {
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain";
  private static final String SEPARATOR = ":";
  private static final int TITLE_BOUND = 100;

  private final Operations operations;

  Resources(Operations operations) {
    this.operations = operations;
  }

  /** The part of the list that a page shows; windows are found by their trajectory. */
  private enum Part {
    TRAJECTORIES("list_trajectories", ResourceUri.Kind.TRAJECTORY, "goal"),
    NOTES("list_notes", ResourceUri.Kind.NOTE, "content");

    private final String operation;
    private final ResourceUri.Kind kind;
    private final String title;

    Part(String operation, ResourceUri.Kind kind, String title) {
      this.operation = operation;
      this.kind = kind;
      this.title = title;
    }
  }

  private record Place(Part part, Optional<String> cursor) {
    static Place of(Message message) {
      Optional<JsonNode> cursor = message.optional("cursor");
      if (cursor.isEmpty()) {
        return new Place(Part.TRAJECTORIES, Optional.empty());
      }
      String[] parts = cursor.get().asString("").split(SEPARATOR, 2);
      for (Part part : Part.values()) {
        if (parts.length == 2 && part.name().equals(parts[0])) {
          return new Place(part, Optional.of(parts[1]).filter(rest -> !rest.isEmpty()));
        }
      }
      throw McpException.invalidParams("Wanted a cursor of this server, found another");
    }

    boolean isFirst() {
      return part == Part.TRAJECTORIES && cursor.isEmpty();
    }

    Optional<String> next(JsonNode page) {
      if (page.has("next")) {
        return Optional.of(part.name() + SEPARATOR + page.path("next").asString());
      }
      return part == Part.TRAJECTORIES
          ? Optional.of(Part.NOTES.name() + SEPARATOR)
          : Optional.empty();
    }
  }

  ObjectNode list(Message message, Caller caller) {
    Place place = Place.of(message);
    ObjectNode input = Json.mapper().createObjectNode();
    place.cursor().ifPresent(cursor -> input.put("cursor", cursor));
    JsonNode page = run(place.part().operation, input, caller);
    ObjectNode result = Json.mapper().createObjectNode();
    ArrayNode resources = result.putArray("resources");
    if (place.isFirst()) {
      describe(resources.addObject(), ResourceUri.GRAPH, "knowledge-graph", JSON)
          .put("description", "All notes as entities, observations and relations.");
    }
    for (JsonNode item : page.path("items")) {
      String id = item.path("id").asString();
      describe(resources.addObject(), place.part().kind.prefix() + id, id, JSON)
          .put("title", title(item.path(place.part().title).asString("")));
    }
    place.next(page).ifPresent(next -> result.put("nextCursor", next));
    return result;
  }

  /** What a list shows of a text: one line, and not all of a long one. */
  private static String title(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    if (line.codePointCount(0, line.length()) <= TITLE_BOUND) {
      return line;
    }
    return line.substring(0, line.offsetByCodePoints(0, TITLE_BOUND)) + "…";
  }

  private static ObjectNode describe(ObjectNode resource, String uri, String name, String type) {
    return resource.put("uri", uri).put("name", name).put("mimeType", type);
  }

  ObjectNode templates() {
    ObjectNode result = Json.mapper().createObjectNode();
    ArrayNode templates = result.putArray("resourceTemplates");
    template(templates, ResourceUri.Kind.TRAJECTORY, "trajectory", JSON);
    template(templates, ResourceUri.Kind.NOTE, "note", JSON);
    template(templates, ResourceUri.Kind.WINDOW, "window", TEXT);
    return result;
  }

  private static void template(ArrayNode to, ResourceUri.Kind kind, String name, String type) {
    to.addObject()
        .put("uriTemplate", kind.prefix() + "{id}")
        .put("name", name)
        .put("mimeType", type);
  }

  ObjectNode read(Message message, Caller caller, boolean modern) {
    String text = message.text("uri");
    ResourceUri uri =
        ResourceUri.parse(text).orElseThrow(() -> McpException.unknownResource(text, modern));
    ObjectNode input = Json.mapper().createObjectNode();
    uri.id().ifPresent(id -> input.put("id", id.toString()));
    try {
      JsonNode answer = run(uri.kind().operation(), input, caller);
      boolean window = uri.kind() == ResourceUri.Kind.WINDOW;
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

  private JsonNode run(String operation, ObjectNode input, Caller caller) {
    return Json.mapper().readTree(operations.run(caller, Call.of(operation, input)).body());
  }
}
