package dev.caliber.agents;

import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What one commit removes: so many rows in all, and no more. */
final class Purge {
  private final Rows rows;
  private final Transaction transaction;
  private int left;

  Purge(Rows rows, Transaction transaction, int most) {
    this.rows = rows;
    this.transaction = transaction;
    this.left = most;
  }

  /** Removes what speaks of a record; false if there may be more of it. */
  boolean isCleanOf(EntityRef record) {
    String item = Conflict.Item.of(record).toString();
    remove(Conflict.TABLE, "first_item", item);
    remove(Conflict.TABLE, "second_item", item);
    if (record.type() == EntityType.TRAJECTORY) {
      removeTask(record.id());
    }
    return left > 0;
  }

  private void removeTask(String id) {
    remove(Message.TABLE, "trajectory", id);
    remove(Delegation.TABLE, "trajectory", id);
    remove(Delegation.TABLE, "child_trajectory", id);
    remove(Handoff.TABLE, "trajectory", id);
    remove(Conflict.TABLE, "trajectory", id);
    each(Query.over(Agent.TABLE, "trajectory").equal(id), this::release);
  }

  private void release(Agent agent) {
    transaction.put(Agent.TABLE, agent.at(Optional.empty(), Optional.empty(), transaction.now()));
  }

  private <T> void remove(Table<T> table, String column, String value) {
    each(
        Query.over(table, column).equal(value), row -> transaction.delete(table, table.keyOf(row)));
  }

  private <T> void each(Query<T> query, Consumer<T> change) {
    if (left > 0) {
      List<T> found = rows.upTo(query, left);
      found.forEach(change);
      left -= found.size();
    }
  }
}
