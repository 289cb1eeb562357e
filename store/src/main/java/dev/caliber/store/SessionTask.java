package dev.caliber.store;

import java.sql.SQLException;

/** Work on a session that begins and ends its own transaction. */
@FunctionalInterface
interface SessionTask {
  void run(Session session) throws SQLException;
}
