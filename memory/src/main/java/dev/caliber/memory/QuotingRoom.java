package dev.caliber.memory;

/** Another room whose records quote memory's: what was forgotten has to go there as well. */
@FunctionalInterface
public interface QuotingRoom {

  /**
   * Removes everything that quotes these records, as far as this commit may; it is asked again, in
   * another commit, until that was enough.
   */
  void forget(Quoted gone, Purge purge);
}
