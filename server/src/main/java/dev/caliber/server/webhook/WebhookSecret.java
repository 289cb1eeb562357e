package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;

/**
 * The signing secret of a webhook, in the server's reserved space.
 *
 * @param secret the output of {@link WebhookSecretCipher}; older versions stored plain text
 */
record WebhookSecret(Id webhook, String secret) {
  static final Table<WebhookSecret> TABLE =
      Table.of(
              "webhook_secret",
              "Signing secrets of webhooks, encrypted.",
              WebhookSecret.class,
              WebhookSecret::webhook)
          .withoutFeed()
          .withoutExport();

  @Override
  public String toString() {
    return "WebhookSecret[" + webhook + "]";
  }
}
