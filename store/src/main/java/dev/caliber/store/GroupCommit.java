package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a group of writes as one database transaction, each behind a savepoint, and acknowledges
 * them after one flush. What they append is sent together, before the commit.
 */
final class GroupCommit {

  private final WriteTurn turn;
  private final Engine engine;
  private final Map<SpaceId, SpaceHead> heads = new LinkedHashMap<>();
  private final List<Commit> commits = new ArrayList<>();
  private final Appended appended;

  /** Where the savepoint is: nowhere yet, before the last write, or right here. */
  private Mark mark = Mark.NONE;

  private enum Mark {
    NONE,
    BEHIND,
    HERE
  }

  GroupCommit(WriteTurn turn, Engine engine) {
    this.turn = turn;
    this.engine = engine;
    this.appended = new Appended(turn.session());
  }

  /**
   * Runs the group in the transaction that has been begun; returns what was committed. If it
   * throws, nothing was.
   */
  List<Commit> run(List<PendingWrite<?>> group) {
    Session session = turn.session();
    try {
      for (PendingWrite<?> write : group) {
        runOne(write, group.size() > 1);
      }
      if (commits.isEmpty()) {
        session.rollback();
        return commits;
      }
      // The feed's entries are the transaction's own, not a savepoint's: PostgresOutcome relies on
      // it.
      if (mark != Mark.NONE) {
        session.unmark();
      }
      Commit last = commits.getLast();
      FeedSql.append(session, commits.subList(0, commits.size() - 1));
      advanceOthers(last.space());
      commit(last);
      return commits;
    } catch (SQLException e) {
      throw rolledBack(ofAll(session.dialect().translate("A commit", e)));
    } catch (StoreException e) {
      throw rolledBack(e);
    }
  }

  private void runOne(PendingWrite<?> write, boolean grouped) throws SQLException {
    Session session = turn.session();
    SpaceHead head = headOf(write);
    if (head == null) {
      return;
    }
    if (grouped) {
      markHere(session);
    }
    JdbcTransaction transaction = new JdbcTransaction(turn, write.space(), head, appended);
    try {
      write.run(transaction);
      transaction.finish();
    } catch (Throwable refusal) {
      transaction.end();
      turn.known().doubt(write.space());
      write.refuse(refusal);
      if (!session.isUsable()) {
        throw StoreException.transactionFailed("The connection was lost", refusal);
      }
      undo(grouped, refusal);
      appended.refused();
      return;
    }
    if (transaction.changes().written()) {
      mark = mark == Mark.NONE ? Mark.NONE : Mark.BEHIND;
      SpaceHead next = head.next();
      heads.put(write.space(), next);
      turn.known().moved(write.space(), next);
      appended.taken();
      commits.add(
          new Commit(
              write.space(),
              next.sequence(),
              turn.seams().host(),
              next.hostCounter(),
              transaction.now(),
              transaction.visibleChanges()));
    }
  }

  /**
   * A write alone in its group has no savepoint: with no commits, the group is rolled back. Where
   * the engine has given up the whole transaction (a full disk), the others fail for the same
   * reason.
   */
  private void undo(boolean grouped, Throwable refusal) {
    if (!grouped) {
      return;
    }
    try {
      turn.session().undoToMark();
    } catch (SQLException e) {
      refusal.addSuppressed(e);
      throw refusal instanceof StoreException reason
          ? reason
          : StoreException.transactionFailed("A neighbour in the same group failed", refusal);
    }
  }

  private void markHere(Session session) throws SQLException {
    switch (mark) {
      case NONE -> session.mark();
      case BEHIND -> {
        session.moveMark();
        appended.markMoved();
      }
      case HERE -> {}
    }
    mark = Mark.HERE;
  }

  private @Nullable SpaceHead headOf(PendingWrite<?> write) throws SQLException {
    SpaceHead known = heads.get(write.space());
    if (known != null) {
      return known;
    }
    SpaceHead found = turn.session().lockHead(write.space()).orElse(null);
    if (found == null) {
      write.refuse(StoreException.unknownSpace(write.space()));
    }
    return found;
  }

  private void advanceOthers(SpaceId last) throws SQLException {
    for (Map.Entry<SpaceId, SpaceHead> head : heads.entrySet()) {
      if (!head.getKey().equals(last)) {
        turn.session().advanceHead(head.getKey(), head.getValue());
      }
    }
  }

  private void commit(Commit last) throws SQLException {
    Session session = turn.session();
    SpaceHead head = Objects.requireNonNull(heads.get(last.space()));
    session.beforeCommit(last, head, appended.waiting());
    try {
      session.commit(last, head, appended.waiting());
    } catch (SQLException e) {
      if (!engine.committedAfterAll(session, last, e)) {
        throw e;
      }
    }
  }

  /** What one of several has appended is in nobody else's way when they try again. */
  private StoreException ofAll(StoreException reason) {
    return commits.size() > 1 && reason.code() == StoreErrorCode.INDEX_ERROR
        ? StoreException.transactionFailed("A neighbour in the same group failed", reason)
        : reason;
  }

  private StoreException rolledBack(StoreException reason) {
    try {
      turn.session().rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
    return reason;
  }
}
