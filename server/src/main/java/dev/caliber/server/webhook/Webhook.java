package dev.caliber.server.webhook;

import dev.caliber.kernel.Id;
import dev.caliber.store.Change;
import dev.caliber.store.Commit;
import dev.caliber.store.Jobs;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An address that is told of commits. Its secret lies elsewhere.
 *
 * @param tables whose changes it is told of; empty: all of them
 * @param since the sequence of the commit that made it: it is told of those after
 */
record Webhook(
    Id id,
    String url,
    List<String> tables,
    Optional<String> description,
    long since,
    Instant createdAt) {

  static final Table<Webhook> TABLE =
      Table.of("webhook", "Addresses that are told of commits.", Webhook.class, Webhook::id)
          .instant("created_at", Webhook::createdAt)
          .importedByName();

  /** What delivering itself changes is told to nobody: it would never end. */
  private static final Set<String> OWN = Set.of(Jobs.TABLE.name(), "webhook");

  Webhook {
    tables = List.copyOf(tables);
  }

  /** The changes that it is told of. */
  List<Change> of(Commit commit) {
    return commit.sequence() <= since
        ? List.of()
        : commit.changes().stream().filter(change -> wants(change.table())).toList();
  }

  private boolean wants(String table) {
    return tables.isEmpty() ? !OWN.contains(table) : tables.contains(table);
  }

  static boolean isOwn(String table) {
    return OWN.contains(table);
  }
}
