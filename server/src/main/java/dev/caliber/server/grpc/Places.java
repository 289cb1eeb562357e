package dev.caliber.server.grpc;

import dev.caliber.kernel.Json;
import dev.caliber.kernel.Timestamps;
import dev.caliber.server.operation.ServerException;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Places in a feed, as events of REST name them. */
final class Places {
  private static final String SEPARATOR = "-";

  private Places() {}

  /** Behind a sequence or the id of an event; without one, what comes from now on. */
  static FeedCursor start(FeedCursor head, String after) {
    if (after.isEmpty()) {
      return head;
    }
    String[] parts = after.split(SEPARATOR, 2);
    try {
      return parts.length == 2
          ? new FeedCursor(Long.parseLong(parts[0]), Long.parseLong(parts[1]))
          : new FeedCursor(head.epoch(), Long.parseLong(after));
    } catch (IllegalArgumentException _) {
      throw ServerException.invalidInput("/after", "Wanted a sequence or the id of an event");
    }
  }

  static ObjectNode event(FeedCursor place, Commit commit, Set<String> tables) {
    ObjectNode event = Json.mapper().createObjectNode();
    event.put("id", place.epoch() + SEPARATOR + place.sequence());
    event.put("sequence", commit.sequence());
    event.put("time", Timestamps.format(commit.time()));
    ArrayNode changes = event.putArray("changes");
    commit.changes().stream()
        .filter(change -> tables.isEmpty() || tables.contains(change.table()))
        .forEach(change -> changes.add(Json.mapper().<JsonNode>valueToTree(change)));
    return event;
  }
}
