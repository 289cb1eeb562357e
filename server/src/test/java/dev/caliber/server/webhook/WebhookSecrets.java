package dev.caliber.server.webhook;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.ServerSetup;
import dev.caliber.server.Wiring;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.jdbc.Stores;

/** Webhook secrets as an older version stored them. */
public final class WebhookSecrets {
  private WebhookSecrets() {}

  /** Replaces every encrypted secret by this plain one; no server has the store open. */
  public static void replaceByPlainText(ServerSetup serverSetup, String secret) {
    IdGenerator idGenerator = IdGenerator.of(serverSetup.clock(), serverSetup.chance());
    try (RecordStore store =
        Stores.open(serverSetup.store(), Wiring.tables(), serverSetup.clock(), idGenerator)) {
      store.commit(
          SpaceId.SERVER,
          transaction -> {
            transaction
                .scan(Query.over(WebhookSecret.TABLE), 1)
                .records()
                .forEach(
                    each ->
                        transaction.put(
                            WebhookSecret.TABLE, new WebhookSecret(each.webhook(), secret)));
          });
    }
  }
}
