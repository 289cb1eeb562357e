package dev.caliber.server.webhook;

import dev.caliber.store.FeedCursor;
import dev.caliber.store.Table;

/** The position in a space's feed up to which deliveries are scheduled. */
record WebhookCursor(String name, long epoch, long sequence) {
  static final String NAME = "webhooks";

  static final Table<WebhookCursor> TABLE =
      Table.of(
              "webhook_cursor",
              "Positions in the feed up to which deliveries are scheduled.",
              WebhookCursor.class,
              WebhookCursor::name)
          .withoutFeed()
          .importedOnlyIfNamed();

  static WebhookCursor of(FeedCursor cursor) {
    return new WebhookCursor(NAME, cursor.epoch(), cursor.sequence());
  }

  FeedCursor cursor() {
    return new FeedCursor(epoch, sequence);
  }
}
