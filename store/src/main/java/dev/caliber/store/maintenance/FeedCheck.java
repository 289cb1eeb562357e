package dev.caliber.store.maintenance;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.FeedSql;
import dev.caliber.store.jdbc.sql.SpaceRow;
import java.sql.SQLException;
import java.util.List;

/** Check that the feed of each space is dense from its oldest entry to the last commit. */
final class FeedCheck implements StoreCheck.CheckTask {

  private static final int ENTRIES_AT_ONCE = 1000;
  private static final String REBUILD =
      "Make a backup and restore it into a new store: that begins a new epoch of the feed, in which each follower (a reader of the feed, such as a search index) rebuilds its data from the records.";

  @Override
  public void run(DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    for (SpaceRow space : SpaceRow.readAll(databaseSession)) {
      try {
        checkEntries(databaseSession, space, doctorFindingCollector);
      } catch (RuntimeException e) { // the entry cannot be parsed
        doctorFindingCollector.error(
            DoctorFindingCode.FEED_UNREADABLE,
            space.name(),
            String.valueOf(e.getMessage()),
            REBUILD);
      }
    }
  }

  private static void checkEntries(
      DatabaseSession databaseSession,
      SpaceRow space,
      DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    SpaceId id = new SpaceId(space.name());
    long last = -1;
    List<Commit> commits;
    do {
      commits = FeedSql.read(databaseSession, id, last, ENTRIES_AT_ONCE);
      for (Commit commit : commits) {
        if (last >= 0 && commit.sequence() != last + 1) {
          doctorFindingCollector.error(
              DoctorFindingCode.FEED_GAP,
              space.name(),
              "a commit is missing from the change feed: after commit %d comes commit %d"
                  .formatted(last, commit.sequence()),
              REBUILD);
        }
        last = commit.sequence();
      }
    } while (commits.size() == ENTRIES_AT_ONCE);
    if (last >= 0 && last != space.head().sequence()) {
      doctorFindingCollector.error(
          DoctorFindingCode.FEED_HEAD_MISMATCH,
          space.name(),
          "the change feed ends with commit %d, but the last commit of the space is %d"
              .formatted(last, space.head().sequence()),
          REBUILD);
    }
  }
}
