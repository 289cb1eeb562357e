package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Change;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code subscriptions/listen}: says which resources have changed since it began, as the change
 * feed tells it.
 */
public final class Subscription {
  private final JsonNode id;
  private final Wanted wanted;
  private final FeedCursor start;

  Subscription(FeedCursor start, Limit most, Message message) {
    this.id = message.id().orElseThrow();
    this.wanted = Wanted.of(message, most);
    this.start = start;
  }

  /** Where it begins: at the end of the feed when it was asked for. */
  public FeedCursor start() {
    return start;
  }

  private record Wanted(boolean list, Set<ResourceUri> resources) {
    static Wanted of(Message message, Limit most) {
      JsonNode filter = message.params().path("notifications");
      if (!filter.isObject()) {
        throw McpException.invalidParams("Wanted 'notifications' as an object, found none");
      }
      most.check(filter.path("resourceSubscriptions").size());
      Set<ResourceUri> resources = new LinkedHashSet<>();
      for (JsonNode uri : filter.path("resourceSubscriptions")) {
        ResourceUri.parse(uri.asString("")).ifPresent(resources::add);
      }
      return new Wanted(filter.path("resourcesListChanged").asBoolean(false), resources);
    }

    /** What it will be told, which may be less than it asked for. */
    ObjectNode honoured() {
      ObjectNode filter = Json.mapper().createObjectNode();
      if (list) {
        filter.put("resourcesListChanged", true);
      }
      if (!resources.isEmpty()) {
        resources.forEach(uri -> filter.withArray("resourceSubscriptions").add(uri.text()));
      }
      return filter;
    }
  }

  /** What is said first. */
  public JsonNode acknowledged() {
    ObjectNode acknowledged = notification("notifications/subscriptions/acknowledged");
    ((ObjectNode) acknowledged.get("params")).set("notifications", wanted.honoured());
    return acknowledged;
  }

  /** Each resource once, however many of the commits touched it. */
  public List<JsonNode> changes(List<Commit> commits) {
    List<Change> changes = commits.stream().flatMap(one -> one.changes().stream()).toList();
    List<JsonNode> messages = new ArrayList<>();
    for (ResourceUri uri : wanted.resources()) {
      if (changes.stream().anyMatch(uri::isTouchedBy)) {
        ObjectNode updated = notification("notifications/resources/updated");
        ((ObjectNode) updated.get("params")).put("uri", uri.text());
        messages.add(updated);
      }
    }
    if (wanted.list() && changes.stream().anyMatch(ResourceUri::isListedKind)) {
      messages.add(notification("notifications/resources/list_changed"));
    }
    return messages;
  }

  private ObjectNode notification(String method) {
    ObjectNode message = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    message.put("method", method);
    message.putObject("params").putObject(McpFormat.META).set(McpFormat.SUBSCRIPTION_KEY, id);
    return message;
  }

  /** What is said last. */
  public JsonNode ended() {
    ObjectNode message = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    message.set("id", id);
    ObjectNode result = message.putObject("result").put("resultType", "complete");
    result.putObject(McpFormat.META).set(McpFormat.SUBSCRIPTION_KEY, id);
    return message;
  }
}
