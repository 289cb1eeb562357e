package dev.caliber.server.mcp;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.Change;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code subscriptions/listen}: says which resources have changed since it began, as the change
 * feed tells it.
 */
public final class Subscription {
  private final ChangeFeed feed;
  private final SpaceId space;
  private final ServerConfig.Keeping pace;
  private final Circumstances circumstances;
  private final JsonNode id;
  private final Wanted wanted;
  private final FeedCursor start;

  Subscription(ChangeFeed feed, SpaceId space, Circumstances circumstances, Message message) {
    this.feed = feed;
    this.space = space;
    this.pace = circumstances.pace();
    this.circumstances = circumstances;
    this.id = message.id().orElseThrow();
    this.wanted = Wanted.of(message);
    this.start = feed.head(space);
  }

  /** How often it speaks, when it has to stop, and who is to be woken then. */
  record Circumstances(ServerConfig.Keeping pace, BooleanSupplier closing, Set<Thread> followers) {}

  /** Where the messages go. */
  public interface Sink {
    void send(JsonNode message) throws IOException;

    /** Something that is no message, to see whether anybody is there. */
    void stillHere() throws IOException;
  }

  private record Wanted(boolean list, Set<ResourceUri> resources) {
    static Wanted of(Message message) {
      JsonNode filter = message.params().path("notifications");
      if (!filter.isObject()) {
        throw McpException.invalidParams("Wanted 'notifications' as an object, found none");
      }
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

  /** Sends until the server closes, nobody listens any more, or the feed is gone. */
  public void follow(Sink sink) throws IOException, InterruptedException {
    ObjectNode acknowledged = notification("notifications/subscriptions/acknowledged");
    ((ObjectNode) acknowledged.get("params")).set("notifications", wanted.honoured());
    sink.send(acknowledged);
    circumstances.followers().add(Thread.currentThread());
    try {
      tellChanges(sink);
    } finally {
      circumstances.followers().remove(Thread.currentThread());
    }
    sink.send(ended());
  }

  private void tellChanges(Sink sink) throws IOException, InterruptedException {
    FeedCursor cursor = start;
    while (!circumstances.closing().getAsBoolean()) {
      List<Commit> commits;
      try {
        commits = feed.await(space, cursor, pace.batch(), pace.heartbeat());
      } catch (CaliberException _) {
        return; // the space was replaced: whoever listens has to look again
      } catch (InterruptedException e) {
        if (circumstances.closing().getAsBoolean()) {
          return;
        }
        throw e;
      }
      if (commits.isEmpty()) {
        sink.stillHere();
      } else {
        tell(commits, sink);
        cursor = new FeedCursor(cursor.epoch(), commits.getLast().sequence());
      }
    }
  }

  /** Each resource once, however many of the commits touched it. */
  private void tell(List<Commit> commits, Sink sink) throws IOException {
    List<Change> changes = commits.stream().flatMap(one -> one.changes().stream()).toList();
    for (ResourceUri uri : wanted.resources()) {
      if (changes.stream().anyMatch(uri::isTouchedBy)) {
        ObjectNode updated = notification("notifications/resources/updated");
        ((ObjectNode) updated.get("params")).put("uri", uri.text());
        sink.send(updated);
      }
    }
    if (wanted.list() && changes.stream().anyMatch(ResourceUri::isListedKind)) {
      sink.send(notification("notifications/resources/list_changed"));
    }
  }

  private ObjectNode notification(String method) {
    ObjectNode message = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    message.put("method", method);
    message.putObject("params").putObject(McpFormat.META).set(McpFormat.SUBSCRIPTION_KEY, id);
    return message;
  }

  private ObjectNode ended() {
    ObjectNode message = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
    message.set("id", id);
    ObjectNode result = message.putObject("result").put("resultType", "complete");
    result.putObject(McpFormat.META).set(McpFormat.SUBSCRIPTION_KEY, id);
    return message;
  }
}
