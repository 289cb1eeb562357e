package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;
import java.util.List;

/** Check that the feed of each space is dense from its oldest entry to the last commit. */
final class FeedCheck implements StoreCheck.CheckTask {

  private static final int ENTRIES_AT_ONCE = 1000;
  private static final String REBUILD =
      "Let followers rebuild; a restored backup begins a new epoch, which makes them rebuild.";

  @Override
  public void run(DatabaseSession databaseSession, FindingCollector findingCollector)
      throws SQLException {
    for (SpaceRow space : SpaceRow.readAll(databaseSession)) {
      try {
        checkEntries(databaseSession, space, findingCollector);
      } catch (RuntimeException e) { // the entry cannot be parsed
        findingCollector.error(
            DoctorFindingCode.FEED_UNREADABLE,
            space.name(),
            String.valueOf(e.getMessage()),
            REBUILD);
      }
    }
  }

  private static void checkEntries(
      DatabaseSession databaseSession, SpaceRow space, FindingCollector findingCollector)
      throws SQLException {
    SpaceId id = new SpaceId(space.name());
    long last = -1;
    List<Commit> commits;
    do {
      commits = FeedSql.read(databaseSession, id, last, ENTRIES_AT_ONCE);
      for (Commit commit : commits) {
        if (last >= 0 && commit.sequence() != last + 1) {
          findingCollector.error(
              DoctorFindingCode.FEED_GAP,
              space.name(),
              "commits are missing in the feed: commit %d is followed by commit %d"
                  .formatted(last, commit.sequence()),
              REBUILD);
        }
        last = commit.sequence();
      }
    } while (commits.size() == ENTRIES_AT_ONCE);
    if (last >= 0 && last != space.head().sequence()) {
      findingCollector.error(
          DoctorFindingCode.FEED_HEAD_MISMATCH,
          space.name(),
          "the feed ends with commit %d, but the last commit is %d"
              .formatted(last, space.head().sequence()),
          REBUILD);
    }
  }
}
