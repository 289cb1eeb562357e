package dev.caliber.store.maintenance;

import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.SpaceHead;
import dev.caliber.store.jdbc.sql.SpaceRow;
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
  public void run(DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
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
          doctorFindingCollector.warning(
              DoctorFindingCode.FOLLOWER_STALE,
              where,
              "this follower of the change feed stopped reading in epoch %d, but the present epoch is %d (a restore of a backup starts a new epoch)"
                  .formatted(epoch, head.epoch()),
              "The follower rebuilds its data when it runs again. If it never runs again, remove its stored position with ChangeFeed.forgetFollower.");
        } else if (sequence > head.sequence()) {
          doctorFindingCollector.error(
              DoctorFindingCode.FOLLOWER_AHEAD,
              where,
              "this follower of the change feed has read up to commit %d, but the last commit of the space is %d"
                  .formatted(sequence, head.sequence()),
              "Remove the stored position of the follower with ChangeFeed.forgetFollower; the follower then rebuilds its data from the records.");
        }
      }
    }
  }
}
