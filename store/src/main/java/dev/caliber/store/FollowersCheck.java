package dev.caliber.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Check that no follower has acknowledged more than was committed. */
final class FollowersCheck implements StoreCheck.CheckTask {

  private static final String SELECT =
      """
      SELECT "space", "name", "epoch", "sequence" FROM store_follower ORDER BY "space", "name\"""";

  @Override
  public void run(DatabaseSession databaseSession, FindingCollector findingCollector)
      throws SQLException {
    Map<String, SpaceHead> heads = new HashMap<>();
    for (SpaceRow space : SpaceRow.readAll(databaseSession)) {
      heads.put(space.name(), space.head());
    }
    try (ResultSet rows = databaseSession.statement(SELECT).executeQuery()) {
      while (rows.next()) {
        int position = 1;
        String space = rows.getString(position++);
        String where = space + "/" + rows.getString(position++);
        long epoch = rows.getLong(position++);
        long sequence = rows.getLong(position);
        SpaceHead head = heads.getOrDefault(space, new SpaceHead(0, 0, 0));
        if (epoch != head.epoch()) {
          findingCollector.warning(
              DoctorFindingCode.FOLLOWER_STALE,
              where,
              "stopped in epoch %d; the present epoch is %d".formatted(epoch, head.epoch()),
              "It rebuilds when it runs again. If it never runs again, delete its cursor.");
        } else if (sequence > head.sequence()) {
          findingCollector.error(
              DoctorFindingCode.FOLLOWER_AHEAD,
              where,
              "has acknowledged commit %d, but the last commit is %d"
                  .formatted(sequence, head.sequence()),
              "Delete the cursor of the follower; it then rebuilds from the records.");
        }
      }
    }
  }
}
