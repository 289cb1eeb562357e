package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What agents said about a task goes with the task; a conflict goes with either of its sides. What
 * crossed by name is looked up when it is read, so that a forgotten record is simply not there. Of
 * a task that much was said about, the rest goes at once in a job of its own: a commit has a limit.
 */
final class ForgettingAgents implements QuotingRoom {
  static final String JOB = "agents.forget";

  private static final int COMMIT_BOUND = 1000;

  @Override
  public void forget(
      Transaction transaction, List<EntityRef> records, Collection<Id> trajectories) {
    for (EntityRef record : records) {
      String item = Conflict.Item.of(record).toString();
      remove(transaction, Conflict.TABLE, "first_item", item, COMMIT_BOUND);
      remove(transaction, Conflict.TABLE, "second_item", item, COMMIT_BOUND);
      if (record.type() == EntityType.TRAJECTORY && task(transaction, record.id(), COMMIT_BOUND)) {
        Jobs.schedule(
            transaction, JobRequest.of(JOB, record.id(), transaction.now()).once(record.id()));
      }
    }
  }

  /** Removes at most so much of each kind; true if there may be more. */
  static boolean task(Transaction transaction, String id, int limit) {
    boolean more = remove(transaction, Message.TABLE, "trajectory", id, limit);
    more |= remove(transaction, Delegation.TABLE, "trajectory", id, limit);
    more |= remove(transaction, Delegation.TABLE, "child_trajectory", id, limit);
    more |= remove(transaction, Handoff.TABLE, "trajectory", id, limit);
    more |= remove(transaction, Conflict.TABLE, "trajectory", id, limit);
    more |= release(transaction, id, limit);
    return more;
  }

  private static boolean release(Transaction transaction, String id, int limit) {
    List<Agent> there =
        Rows.upTo(transaction, Query.over(Agent.TABLE, "trajectory").equal(id), limit);
    there.forEach(
        agent ->
            transaction.put(
                Agent.TABLE, agent.at(Optional.empty(), Optional.empty(), transaction.now())));
    return there.size() == limit;
  }

  private static <T> boolean remove(
      Transaction transaction, Table<T> table, String column, String value, int limit) {
    List<T> found = Rows.upTo(transaction, Query.over(table, column).equal(value), limit);
    found.forEach(row -> transaction.delete(table, table.keyOf(row)));
    return found.size() == limit;
  }
}
