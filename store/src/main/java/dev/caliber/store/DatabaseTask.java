package dev.caliber.store;

import java.sql.SQLException;

/** Task on a session that begins and ends its own transaction. */
@FunctionalInterface
interface DatabaseTask {
  void run(DatabaseSession databaseSession) throws SQLException;
}
