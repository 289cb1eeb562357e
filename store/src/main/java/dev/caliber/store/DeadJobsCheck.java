package dev.caliber.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Jobs that were given up wait for somebody to look at them. */
final class DeadJobsCheck implements Check.Work {

  private static final String SELECT =
      """
      SELECT "space", "kind", count(*) FROM job WHERE "state" = ?
      GROUP BY "space", "kind" ORDER BY "space", "kind\"""";

  @Override
  public void run(Session session, Findings findings) throws SQLException {
    PreparedStatement statement = session.statement(SELECT);
    statement.setString(1, JobState.DEAD.name());
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        findings.warning(
            FindingCode.JOBS_DEAD,
            rows.getString(1) + "/job",
            "%d jobs of kind '%s' were given up".formatted(rows.getLong(3), rows.getString(2)),
            "Look at their last error, then revive or delete them.");
      }
    }
  }
}
