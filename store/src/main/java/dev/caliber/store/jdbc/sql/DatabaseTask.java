package dev.caliber.store.jdbc.sql;

import java.sql.SQLException;

/** Task on a session that begins and ends its own transaction. */
@FunctionalInterface
public interface DatabaseTask {
  void run(DatabaseSession databaseSession) throws SQLException;
}
