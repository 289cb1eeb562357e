package dev.caliber.memory;

import dev.caliber.store.Transaction;
import java.util.List;

/** Another room whose records quote memory's: what was forgotten has to go there as well. */
@FunctionalInterface
public interface QuotingRoom {

  /** Removes, in this commit, everything that quotes these records. */
  void forget(Transaction transaction, List<EntityRef> records);
}
