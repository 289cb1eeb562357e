package dev.caliber.store.maintenance;

import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.job.JobState;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Check that reports dead jobs, which an operator has to revive or delete. */
final class DeadJobsCheck implements StoreCheck.CheckTask {

  private static final String SELECT =
      """
      SELECT "space", "kind", count(*) FROM job WHERE "state" = ?
      GROUP BY "space", "kind" ORDER BY "space", "kind\"""";

  @Override
  public void run(DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    PreparedStatement statement = databaseSession.statement(SELECT);
    statement.setString(1, JobState.DEAD.name());
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        doctorFindingCollector.warning(
            DoctorFindingCode.DEAD_JOBS,
            rows.getString(1) + "/job",
            "%d jobs of kind '%s' are dead after their last attempt"
                .formatted(rows.getLong(3), rows.getString(2)),
            "Read the last error of each job with 'caliber jobs list', then retry the job with 'caliber jobs retry' or delete it.");
      }
    }
  }
}
