package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/**
 * What a webhook's messages are signed with; it lies in the server's own space.
 *
 * @param secret what {@link SecretBox} made of it; older versions stored it in plain text
 */
record WebhookSecret(Id webhook, String secret) {
  static final Table<WebhookSecret> TABLE =
      Table.of(
              "webhook_secret",
              "What webhooks are signed with, encrypted.",
              WebhookSecret.class,
              WebhookSecret::webhook)
          .quiet()
          .secret();

  @Override
  public String toString() {
    return "WebhookSecret[" + webhook + "]";
  }
}
