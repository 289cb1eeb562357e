package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Change;
import dev.caliber.store.Commit;
import java.time.Instant;
import java.util.List;

/**
 * What a webhook is told, as a job carries it.
 *
 * @param name the same however often it is delivered
 * @param body the very bytes that are signed
 */
record Message(Id webhook, String name, String body) {
  private static final String PREFIX = "msg_";

  /** The shape that Standard Webhooks recommends. */
  private record Body<T>(String type, Instant timestamp, T data) {}

  private record Committed(SpaceId space, long sequence, List<Change> changes) {}

  private record Tested(SpaceId space) {}

  static Message of(Webhook webhook, long epoch, Commit commit) {
    Id name =
        Id.deterministic(
            "webhook-message",
            webhook.id().toString(),
            Long.toString(epoch),
            Long.toString(commit.sequence()));
    return new Message(
        webhook.id(),
        PREFIX + name,
        Json.text(
            new Body<>(
                "commit",
                commit.time(),
                new Committed(commit.space(), commit.sequence(), webhook.of(commit)))));
  }

  static Message test(Webhook webhook, SpaceId space, Instant now) {
    Id name = Id.deterministic("webhook-test", webhook.id().toString(), now.toString());
    return new Message(
        webhook.id(), PREFIX + name, Json.text(new Body<>("test", now, new Tested(space))));
  }
}
