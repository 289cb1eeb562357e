package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.memory.EntityRef;
import dev.caliber.memory.EntityType;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What agents said about a task goes with the task; a conflict goes with either of its sides. What
 * crossed by name is looked up when it is read, so that a forgotten record is simply not there.
 */
final class ForgettingAgents implements QuotingRoom {

  @Override
  public void forget(
      Transaction transaction, List<EntityRef> records, Collection<Id> trajectories) {
    for (EntityRef record : records) {
      String item = Conflict.Item.of(record).toString();
      remove(transaction, Conflict.TABLE, "first_item", item);
      remove(transaction, Conflict.TABLE, "second_item", item);
      if (record.type() == EntityType.TRAJECTORY) {
        task(transaction, record.id());
      }
    }
  }

  private static void task(Transaction transaction, String id) {
    remove(transaction, Message.TABLE, "trajectory", id);
    remove(transaction, Delegation.TABLE, "trajectory", id);
    remove(transaction, Delegation.TABLE, "child_trajectory", id);
    remove(transaction, Handoff.TABLE, "trajectory", id);
    remove(transaction, Conflict.TABLE, "trajectory", id);
    Rows.all(transaction, Query.over(Agent.TABLE, "trajectory").equal(id))
        .forEach(
            agent ->
                transaction.put(
                    Agent.TABLE, agent.at(Optional.empty(), Optional.empty(), transaction.now())));
  }

  private static <T> void remove(
      Transaction transaction, Table<T> table, String column, String value) {
    Rows.all(transaction, Query.over(table, column).equal(value))
        .forEach(row -> transaction.delete(table, table.keyOf(row)));
  }
}
