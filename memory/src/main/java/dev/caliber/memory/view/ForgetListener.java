package dev.caliber.memory.view;

/** Module whose records quote memory records and must forget them too. */
@FunctionalInterface
public interface ForgetListener {

  /**
   * Removes data that quotes these records, up to the budget of this commit. Called again in
   * further commits until nothing is left.
   */
  void purgeDerivedData(ForgottenRecords gone, PurgeBudget purgeBudget);
}
