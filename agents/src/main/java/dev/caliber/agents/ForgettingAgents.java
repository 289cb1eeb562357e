package dev.caliber.agents;

import dev.caliber.kernel.Json;
import dev.caliber.memory.Purge;
import dev.caliber.memory.Quoted;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.store.Job;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * What agents said about a task goes with the task; a conflict goes with either of its sides. What
 * crossed by name is looked up when it is read, so that a forgotten record is simply not there.
 */
final class ForgettingAgents implements QuotingRoom {
  /** In stores of the time when agents went on with it by themselves. */
  static final String FORMER_JOB = "agents.forget";

  /** One batch of what such a job has left; the next one is another job's. */
  static JobEffect goOn(Job former, AgentsConfig.Tending rules) {
    Quoted gone = new Quoted(List.of(Json.read(former.payload(), EntityRef[].class)), List.of());
    return transaction -> {
      Purge purge = new Purge(transaction, rules.page(), rules.batch());
      new ForgettingAgents().forget(gone, purge);
      if (purge.isSpent()) {
        Jobs.schedule(transaction, JobRequest.of(FORMER_JOB, former.payload(), transaction.now()));
      }
    };
  }

  @Override
  public void forget(Quoted gone, Purge purge) {
    gone.records().forEach(record -> forget(record, purge));
  }

  private static void forget(EntityRef record, Purge purge) {
    String item = Conflict.Item.of(record).toString();
    remove(purge, Conflict.TABLE, "first_item", item);
    remove(purge, Conflict.TABLE, "second_item", item);
    if (record.type() == EntityType.TRAJECTORY) {
      forgetTask(record.id(), purge);
    }
  }

  private static void forgetTask(String id, Purge purge) {
    remove(purge, Message.TABLE, "trajectory", id);
    remove(purge, Delegation.TABLE, "trajectory", id);
    remove(purge, Delegation.TABLE, "child_trajectory", id);
    remove(purge, Handoff.TABLE, "trajectory", id);
    remove(purge, Conflict.TABLE, "trajectory", id);
    purge.each(
        Query.over(Agent.TABLE, "trajectory").equal(id),
        agent -> release(purge.transaction(), agent));
  }

  private static void release(Transaction transaction, Agent agent) {
    transaction.put(Agent.TABLE, agent.at(Optional.empty(), Optional.empty(), transaction.now()));
  }

  private static <T> void remove(Purge purge, Table<T> table, String column, String value) {
    purge.remove(table, Query.over(table, column).equal(value));
  }
}
