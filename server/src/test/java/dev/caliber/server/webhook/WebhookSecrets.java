package dev.caliber.server.webhook;

import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.Setup;
import dev.caliber.server.Wiring;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;

/** Secrets of webhooks as an older version stored them. */
public final class WebhookSecrets {
  private WebhookSecrets() {}

  /** Puts the plain secret in place of every encrypted one; no server has the store open. */
  public static void replaceByPlainText(Setup setup, String secret) {
    Ids ids = Ids.of(setup.clock(), setup.chance());
    try (RecordStore store = RecordStore.open(setup.store(), Wiring.tables(), setup.clock(), ids)) {
      store.write(
          SpaceId.SERVER,
          transaction -> {
            transaction
                .scan(Query.over(WebhookSecret.TABLE), 1)
                .records()
                .forEach(
                    each ->
                        transaction.put(
                            WebhookSecret.TABLE, new WebhookSecret(each.webhook(), secret)));
            return true;
          });
    }
  }
}
