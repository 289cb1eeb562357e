package dev.caliber.server.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import dev.caliber.kernel.Json;
import dev.caliber.server.feed.FeedEvent;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.Commit;
import dev.caliber.store.FeedCursor;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * The change feed of a space as messages: each commit once, in order. Where none of them is wanted
 * for a while, a message without changes says how far the feed has come, so that a client can go on
 * from there.
 */
final class FeedMessages implements Pouring.Source {
  private final ChangeFeed feed;
  private final ServerConfig.Keeping pace;
  private final Asking asking;
  private final Set<String> tables = new HashSet<>();
  private final Descriptor type;
  private FeedCursor cursor;
  private FeedCursor told;

  /** What is no longer kept is refused before it begins. */
  FeedMessages(
      ChangeFeed feed, ServerConfig.Keeping pace, Asking asking, ObjectNode wish, Descriptor type) {
    asking.caller().requireWholeSpace("events");
    this.feed = feed;
    this.pace = pace;
    this.asking = asking;
    this.type = type;
    wish.path("tables").forEach(table -> tables.add(table.asString()));
    cursor =
        FeedEvent.start(
            feed.head(asking.caller().space()),
            Optional.of(wish.path("after").asString("")).filter(named -> !named.isEmpty()));
    told = cursor;
    feed.read(asking.caller().space(), cursor, 1);
  }

  @Override
  public void pour(Pouring.Sink sink) throws InterruptedException {
    while (sink.isOpen()) {
      List<Commit> commits =
          feed.await(asking.caller().space(), cursor, pace.batch(), pace.heartbeat());
      asking.again().run();
      for (Commit commit : commits) {
        cursor = new FeedCursor(cursor.epoch(), commit.sequence());
        Optional<FeedEvent> event = FeedEvent.of(commit, tables);
        if (event.isPresent()) {
          tell(sink, Json.mapper().valueToTree(event.get()));
        }
      }
      if (isBehind(commits.isEmpty())) {
        tell(sink, Json.mapper().createObjectNode().put("sequence", cursor.sequence()));
      }
    }
  }

  private boolean isBehind(boolean quiet) {
    long hidden = cursor.sequence() - told.sequence();
    return quiet ? hidden > 0 : hidden >= pace.batch();
  }

  private void tell(Pouring.Sink sink, ObjectNode event) throws InterruptedException {
    sink.send(JsonMessages.message(type, event.put("id", FeedEvent.place(cursor))));
    told = cursor;
  }
}
