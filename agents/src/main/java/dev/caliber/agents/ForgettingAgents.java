package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.store.JobRequest;
import dev.caliber.store.Jobs;
import dev.caliber.store.Transaction;
import java.util.Collection;
import java.util.List;

/**
 * What agents said about a task goes with the task; a conflict goes with either of its sides. What
 * crossed by name is looked up when it is read, so that a forgotten record is simply not there. A
 * commit has a limit, so that what is more than one batch goes at once in a job.
 */
record ForgettingAgents(AgentsConfig.Tending rules) implements QuotingRoom {
  static final String JOB = "agents.forget";

  @Override
  public void forget(
      Transaction transaction, List<EntityRef> records, Collection<Id> trajectories) {
    List<EntityRef> rest = some(transaction, records);
    if (!rest.isEmpty()) {
      Jobs.schedule(transaction, JobRequest.of(JOB, Json.text(rest), transaction.now()));
    }
  }

  /** The records whose traces a job has still to remove. */
  static List<EntityRef> rest(String payload) {
    return List.of(Json.read(payload, EntityRef[].class));
  }

  /** Removes one batch, whatever it is about; answers the records of which more may be left. */
  List<EntityRef> some(Transaction transaction, List<EntityRef> records) {
    Purge purge = new Purge(new Rows(transaction, rules.page()), transaction, rules.batch());
    int done = 0;
    while (done < records.size() && purge.isCleanOf(records.get(done))) {
      done++;
    }
    return records.subList(done, records.size());
  }
}
