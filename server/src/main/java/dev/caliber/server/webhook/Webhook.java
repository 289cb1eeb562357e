package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.store.Commit;
import dev.caliber.store.RecordChange;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An address that receives commits. Its secret is stored separately.
 *
 * @param tables the tables whose changes it receives; empty: all of them
 * @param since the sequence of the commit that created it: it receives later ones
 */
record Webhook(
    Id id,
    String url,
    List<String> tables,
    Optional<String> description,
    long since,
    Instant createdAt) {

  static final Table<Webhook> TABLE =
      Table.of(
              "webhook",
              "Webhooks: addresses to which commits are sent.",
              Webhook.class,
              Webhook::id)
          .instant("created_at", Webhook::createdAt)
          .importedOnlyIfNamed();

  /** The tables that deliveries change; delivering their changes, too, would never end. */
  private static final Set<String> OWN = Set.of(Jobs.TABLE.name(), "webhook");

  Webhook {
    tables = List.copyOf(tables);
  }

  /** Returns the changes that this webhook receives. */
  List<RecordChange> relevantChanges(Commit commit) {
    return commit.sequence() <= since
        ? List.of()
        : commit.changes().stream()
            .filter(recordChange -> isSubscribedTo(recordChange.table()))
            .toList();
  }

  private boolean isSubscribedTo(String table) {
    return tables.isEmpty() ? !OWN.contains(table) : tables.contains(table);
  }

  static boolean isWebhookTable(String table) {
    return OWN.contains(table);
  }
}
