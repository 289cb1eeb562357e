package dev.caliber.agents;

import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.registry.Agent;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.view.ForgetListener;
import dev.caliber.memory.view.ForgottenRecords;
import dev.caliber.memory.view.PurgeBudget;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.util.Optional;

/**
 * Forget listener for records of agents. Records about a task are removed with the task; a conflict
 * is removed with either of its sides. Shared records are looked up by id when they are read, so
 * forgotten ones are missing there.
 */
final class AgentsForgetListener implements ForgetListener {
  @Override
  public void purgeDerivedData(ForgottenRecords gone, PurgeBudget purgeBudget) {
    gone.records().forEach(record -> forget(record, purgeBudget));
  }

  private static void forget(EntityRef record, PurgeBudget purgeBudget) {
    String item = Conflict.ConflictSide.of(record).toString();
    remove(purgeBudget, Conflict.TABLE, "first_item", item);
    remove(purgeBudget, Conflict.TABLE, "second_item", item);
    if (record.type() == EntityType.TRAJECTORY) {
      forgetTask(record.id(), purgeBudget);
    }
  }

  private static void forgetTask(String id, PurgeBudget purgeBudget) {
    remove(purgeBudget, Message.TABLE, "trajectory", id);
    remove(purgeBudget, Delegation.TABLE, "trajectory", id);
    remove(purgeBudget, Delegation.TABLE, "child_trajectory", id);
    remove(purgeBudget, Handoff.TABLE, "trajectory", id);
    remove(purgeBudget, Conflict.TABLE, "trajectory", id);
    purgeBudget.each(
        Query.over(Agent.TABLE, "trajectory").equal(id),
        agent -> clearTask(purgeBudget.transaction(), agent));
  }

  private static void clearTask(Transaction transaction, Agent agent) {
    transaction.put(
        Agent.TABLE, agent.withTask(Optional.empty(), Optional.empty(), transaction.now()));
  }

  private static <T> void remove(
      PurgeBudget purgeBudget, Table<T> table, String column, String value) {
    purgeBudget.remove(table, Query.over(table, column).equal(value));
  }
}
