package dev.caliber.store;

/** The outcome of a job: written if, and only if, the job ends with it. */
@FunctionalInterface
public interface JobEffect {

  void apply(Transaction transaction);

  /** For work whose effect is outside the store. */
  static JobEffect none() {
    return _ -> {};
  }
}
