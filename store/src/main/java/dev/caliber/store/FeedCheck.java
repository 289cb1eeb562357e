package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;
import java.util.List;

/** The feed of each space is dense from its oldest entry to the last commit. */
final class FeedCheck implements Check.Work {

  private static final int ENTRIES_AT_ONCE = 1000;
  private static final String REBUILD =
      "Have followers rebuild; a restored backup begins a new epoch and makes them.";

  @Override
  public void run(Session session, Findings findings) throws SQLException {
    for (SpaceRow space : SpaceRow.all(session)) {
      try {
        walk(session, space, findings);
      } catch (RuntimeException e) { // an entry that does not parse
        findings.error(
            FindingCode.FEED_UNREADABLE, space.name(), String.valueOf(e.getMessage()), REBUILD);
      }
    }
  }

  private static void walk(Session session, SpaceRow space, Findings findings) throws SQLException {
    SpaceId id = new SpaceId(space.name());
    long last = -1;
    List<Commit> commits;
    do {
      commits = FeedSql.read(session, id, last, ENTRIES_AT_ONCE);
      for (Commit commit : commits) {
        if (last >= 0 && commit.sequence() != last + 1) {
          findings.error(
              FindingCode.FEED_GAP,
              space.name(),
              "after commit %d comes %d".formatted(last, commit.sequence()),
              REBUILD);
        }
        last = commit.sequence();
      }
    } while (commits.size() == ENTRIES_AT_ONCE);
    if (last >= 0 && last != space.head().sequence()) {
      findings.error(
          FindingCode.FEED_HEAD_WRONG,
          space.name(),
          "the feed ends with commit %d, the last one is %d"
              .formatted(last, space.head().sequence()),
          REBUILD);
    }
  }
}
