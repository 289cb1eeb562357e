package dev.caliber.server.mcp;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import dev.caliber.store.RecordChange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A subscription by {@code subscriptions/listen}: it reports the resources that change after its
 * start, as read from the change feed.
 */
public final class ResourceSubscription {
  private final JsonNode id;
  private final SubscriptionFilter subscriptionFilter;
  private final FeedCursor start;

  ResourceSubscription(FeedCursor start, Limit most, JsonRpcMessage jsonRpcMessage) {
    this.id = jsonRpcMessage.id().orElseThrow();
    this.subscriptionFilter = SubscriptionFilter.of(jsonRpcMessage, most);
    this.start = start;
  }

  /** The position of the subscription's start: the end of the feed at the time of the request. */
  public FeedCursor startCursor() {
    return start;
  }

  private record SubscriptionFilter(boolean listChanges, Set<ResourceUri> resources) {
    static SubscriptionFilter of(JsonRpcMessage jsonRpcMessage, Limit most) {
      JsonNode filter = jsonRpcMessage.params().path("notifications");
      if (!filter.isObject()) {
        throw McpException.invalidParams("'notifications' is missing or is not an object");
      }
      most.requireWithin(filter.path("resourceSubscriptions").size());
      Set<ResourceUri> resources = new LinkedHashSet<>();
      for (JsonNode uri : filter.path("resourceSubscriptions")) {
        ResourceUri.parse(uri.asString("")).ifPresent(resources::add);
      }
      return new SubscriptionFilter(
          filter.path("resourcesListChanged").asBoolean(false), resources);
    }

    /** The subscribed notifications, which may be fewer than requested. */
    ObjectNode toJson() {
      ObjectNode filter = Json.mapper().createObjectNode();
      if (listChanges) {
        filter.put("resourcesListChanged", true);
      }
      if (!resources.isEmpty()) {
        resources.forEach(uri -> filter.withArray("resourceSubscriptions").add(uri.text()));
      }
      return filter;
    }
  }

  /** The first message. */
  public JsonNode acknowledgement() {
    ObjectNode acknowledged = notification("notifications/subscriptions/acknowledged");
    ((ObjectNode) acknowledged.get("params")).set("notifications", subscriptionFilter.toJson());
    return acknowledged;
  }

  /** Returns one notification per changed resource, however many of the commits changed it. */
  public List<JsonNode> changeNotifications(List<Commit> commits) {
    List<RecordChange> changes = commits.stream().flatMap(one -> one.changes().stream()).toList();
    List<JsonNode> messages = new ArrayList<>();
    for (ResourceUri uri : subscriptionFilter.resources()) {
      if (changes.stream().anyMatch(uri::isChangedBy)) {
        ObjectNode updated = notification("notifications/resources/updated");
        ((ObjectNode) updated.get("params")).put("uri", uri.text());
        messages.add(updated);
      }
    }
    if (subscriptionFilter.listChanges() && changes.stream().anyMatch(ResourceUri::isListedKind)) {
      messages.add(notification("notifications/resources/list_changed"));
    }
    return messages;
  }

  private ObjectNode notification(String method) {
    ObjectNode message = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    message.put("method", method);
    message.putObject("params").putObject(McpConstants.META).set(McpConstants.SUBSCRIPTION_KEY, id);
    return message;
  }

  /** The last message. */
  public JsonNode closingResponse() {
    ObjectNode message = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    message.set("id", id);
    ObjectNode result = message.putObject("result").put("resultType", "complete");
    result.putObject(McpConstants.META).set(McpConstants.SUBSCRIPTION_KEY, id);
    return message;
  }
}
