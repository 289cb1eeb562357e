package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.store.Transaction;
import java.util.Collection;
import java.util.List;

/** Another room whose records quote memory's: what was forgotten has to go there as well. */
@FunctionalInterface
public interface QuotingRoom {

  /**
   * Removes, in this commit, everything that quotes these records.
   *
   * @param trajectories the tasks that the records belong to, or were learned in
   */
  void forget(Transaction transaction, List<EntityRef> records, Collection<Id> trajectories);
}
