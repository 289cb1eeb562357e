package dev.caliber.store.maintenance;

import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import java.sql.SQLException;

/** One check of a store, in a transaction of its own that is rolled back afterwards. */
record StoreCheck(String name, DatabaseRole role, CheckTask work) {

  /** Body of a check; a failure of the engine becomes a finding. */
  interface CheckTask {
    void run(DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
        throws SQLException;
  }

  static StoreCheck of(String name, CheckTask checkTask) {
    return new StoreCheck(name, DatabaseRole.KEEPER, checkTask);
  }
}
