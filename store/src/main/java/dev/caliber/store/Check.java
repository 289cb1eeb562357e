package dev.caliber.store;

import java.sql.SQLException;

/** One look at a store, in a transaction of its own that is rolled back afterwards. */
record Check(String name, SessionRole role, Work work) {

  /** What is looked at; a failure of the engine becomes a finding. */
  interface Work {
    void run(Session session, Findings findings) throws SQLException;
  }

  static Check of(String name, Work work) {
    return new Check(name, SessionRole.KEEPER, work);
  }
}
