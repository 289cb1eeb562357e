package dev.caliber.store.job;

import dev.caliber.store.Transaction;

/** Effect of a job on the store, committed if, and only if, the job ends with it. */
@FunctionalInterface
public interface JobEffect {

  void apply(Transaction transaction);

  /** Returns an empty effect, for work whose effect is outside the store. */
  static JobEffect none() {
    return _ -> {};
  }
}
