package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.RecordChange;
import java.time.Instant;
import java.util.List;

/**
 * The message of a delivery, as its job stores it.
 *
 * @param name the same id for every attempt
 * @param body the exact bytes that are signed
 */
record WebhookMessage(Id webhook, String name, String body) {
  private static final String PREFIX = "msg_";

  /** The payload that Standard Webhooks recommends. */
  private record WebhookPayload<T>(String type, Instant timestamp, T data) {}

  private record CommitPayload(SpaceId space, long sequence, List<RecordChange> changes) {}

  private record TestPayload(SpaceId space) {}

  static WebhookMessage of(Webhook webhook, long epoch, Commit commit) {
    Id name =
        Id.derivedFrom(
            "webhook-message",
            webhook.id().toString(),
            Long.toString(epoch),
            Long.toString(commit.sequence()));
    return new WebhookMessage(
        webhook.id(),
        PREFIX + name,
        Json.text(
            new WebhookPayload<>(
                "commit",
                commit.time(),
                new CommitPayload(
                    commit.space(), commit.sequence(), webhook.relevantChanges(commit)))));
  }

  static WebhookMessage testMessage(Webhook webhook, SpaceId space, Instant now) {
    Id name = Id.derivedFrom("webhook-test", webhook.id().toString(), now.toString());
    return new WebhookMessage(
        webhook.id(),
        PREFIX + name,
        Json.text(new WebhookPayload<>("test", now, new TestPayload(space))));
  }
}
