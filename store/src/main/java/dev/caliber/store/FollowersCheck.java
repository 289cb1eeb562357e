package dev.caliber.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** No follower has seen more than was committed. */
final class FollowersCheck implements Check.Work {

  private static final String SELECT =
      """
      SELECT "space", "name", "epoch", "sequence" FROM store_follower ORDER BY "space", "name\"""";

  @Override
  public void run(Session session, Findings findings) throws SQLException {
    Map<String, SpaceHead> heads = new HashMap<>();
    for (SpaceRow space : SpaceRow.all(session)) {
      heads.put(space.name(), space.head());
    }
    try (ResultSet rows = session.statement(SELECT).executeQuery()) {
      while (rows.next()) {
        int position = 1;
        String space = rows.getString(position++);
        String where = space + "/" + rows.getString(position++);
        long epoch = rows.getLong(position++);
        long sequence = rows.getLong(position);
        SpaceHead head = heads.getOrDefault(space, new SpaceHead(0, 0, 0));
        if (epoch != head.epoch()) {
          findings.warning(
              FindingCode.FOLLOWER_STALE,
              where,
              "stopped in epoch %d, now it is %d".formatted(epoch, head.epoch()),
              "It rebuilds when it runs again; if it never will, forget it.");
        } else if (sequence > head.sequence()) {
          findings.error(
              FindingCode.FOLLOWER_AHEAD,
              where,
              "has seen commit %d, the last one is %d".formatted(sequence, head.sequence()),
              "Forget the follower and let it rebuild.");
        }
      }
    }
  }
}
