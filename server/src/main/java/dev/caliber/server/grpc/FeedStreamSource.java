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
 * The change feed of a space as messages: each commit once, in order. If no commit matches for a
 * while, a message without changes carries the current position, so that a client can resume there.
 */
final class FeedStreamSource implements GrpcStreamWriter.StreamSource {
  private final ChangeFeed feed;
  private final ServerConfig.ServerRetention pace;
  private final CallMetadata callMetadata;
  private final Set<String> tables = new HashSet<>();
  private final Descriptor type;
  private FeedCursor cursor;
  private FeedCursor reported;

  /** Refuses a start position that the feed no longer retains. */
  FeedStreamSource(
      ChangeFeed feed,
      ServerConfig.ServerRetention pace,
      CallMetadata callMetadata,
      ObjectNode request,
      Descriptor type) {
    callMetadata.caller().requireWholeSpace("events");
    this.feed = feed;
    this.pace = pace;
    this.callMetadata = callMetadata;
    this.type = type;
    request.path("tables").forEach(table -> tables.add(table.asString()));
    cursor =
        FeedEvent.startCursor(
            feed.head(callMetadata.caller().space()),
            Optional.of(request.path("after").asString("")).filter(named -> !named.isEmpty()));
    reported = cursor;
    feed.read(callMetadata.caller().space(), cursor, 1);
  }

  @Override
  public void writeTo(GrpcStreamWriter.StreamSink streamSink) throws InterruptedException {
    while (streamSink.isOpen()) {
      List<Commit> commits =
          feed.await(callMetadata.caller().space(), cursor, pace.batch(), pace.heartbeatInterval());
      callMetadata.keyRecheck().run();
      for (Commit commit : commits) {
        cursor = new FeedCursor(cursor.epoch(), commit.sequence());
        Optional<FeedEvent> event = FeedEvent.of(commit, tables);
        if (event.isPresent()) {
          sendEvent(streamSink, Json.mapper().valueToTree(event.get()));
        }
      }
      if (isPositionUpdateDue(commits.isEmpty())) {
        sendEvent(streamSink, Json.mapper().createObjectNode().put("sequence", cursor.sequence()));
      }
    }
  }

  private boolean isPositionUpdateDue(boolean quiet) {
    long hidden = cursor.sequence() - reported.sequence();
    return quiet ? hidden > 0 : hidden >= pace.batch();
  }

  private void sendEvent(GrpcStreamWriter.StreamSink streamSink, ObjectNode event)
      throws InterruptedException {
    streamSink.send(JsonProtoConverter.toMessage(type, event.put("id", FeedEvent.eventId(cursor))));
    reported = cursor;
  }
}
