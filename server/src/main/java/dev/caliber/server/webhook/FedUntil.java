package dev.caliber.server.webhook;

import dev.caliber.store.FeedCursor;
import dev.caliber.store.Table;

/** How far the feed of a space has become deliveries; written with them. */
record FedUntil(String name, long epoch, long sequence) {
  static final String NAME = "webhooks";

  static final Table<FedUntil> TABLE =
      Table.of(
              "webhook_cursor",
              "How far the feed has become deliveries.",
              FedUntil.class,
              FedUntil::name)
          .quiet()
          .importedByName();

  static FedUntil of(FeedCursor cursor) {
    return new FedUntil(NAME, cursor.epoch(), cursor.sequence());
  }

  FeedCursor cursor() {
    return new FeedCursor(epoch, sequence);
  }
}
