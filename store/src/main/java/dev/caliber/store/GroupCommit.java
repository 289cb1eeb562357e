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
 * Executor of a group of writes as one database transaction, each behind a savepoint; they are
 * acknowledged after one flush. Appended rows are sent together, before the commit.
 */
final class GroupCommit {

  private final WriterContext context;
  private final Engine engine;
  private final Map<SpaceId, SpaceHead> heads = new LinkedHashMap<>();
  private final List<Commit> commits = new ArrayList<>();
  private final PendingAppends pendingAppends;

  /** Position of the savepoint: none, before the last write, or at the current state. */
  private SavepointPosition savepoint = SavepointPosition.NONE;

  private enum SavepointPosition {
    NONE,
    BEHIND,
    HERE
  }

  GroupCommit(WriterContext turn, Engine engine) {
    this.context = turn;
    this.engine = engine;
    this.pendingAppends = new PendingAppends(turn.session());
  }

  /**
   * Runs the group in the transaction that has been begun and returns its commits. If it throws,
   * nothing was committed.
   */
  List<Commit> run(List<PendingWrite<?>> group) {
    DatabaseSession databaseSession = context.session();
    try {
      for (PendingWrite<?> write : group) {
        runWrite(write, group.size() > 1);
      }
      if (commits.isEmpty()) {
        databaseSession.rollback();
        return commits;
      }
      // The feed's entries belong to the transaction, not to a savepoint: PostgresCommitOutcome
      // relies on it.
      if (savepoint != SavepointPosition.NONE) {
        databaseSession.releaseSavepoint();
      }
      Commit last = commits.getLast();
      FeedSql.append(databaseSession, commits.subList(0, commits.size() - 1));
      advanceOthers(last.space());
      commit(last);
      return commits;
    } catch (SQLException e) {
      throw rollBack(groupError(databaseSession.dialect().translate("A commit", e)));
    } catch (StoreException e) {
      throw rollBack(e);
    }
  }

  private void runWrite(PendingWrite<?> write, boolean grouped) throws SQLException {
    DatabaseSession databaseSession = context.session();
    SpaceHead head = headOf(write);
    if (head == null) {
      return;
    }
    if (grouped) {
      placeSavepointHere(databaseSession);
    }
    JdbcTransaction transaction = new JdbcTransaction(context, write.space(), head, pendingAppends);
    try {
      write.run(transaction);
      transaction.finish();
    } catch (Throwable refusal) {
      transaction.end();
      context.rowCache().invalidate(write.space());
      write.refuse(refusal);
      if (!databaseSession.isUsable()) {
        throw StoreException.transactionFailed(
            "The connection to the database was lost during a group of writes", refusal);
      }
      undoWrite(grouped, refusal);
      pendingAppends.dropRefusedWrite();
      return;
    }
    if (transaction.changes().hasWrites()) {
      savepoint =
          savepoint == SavepointPosition.NONE ? SavepointPosition.NONE : SavepointPosition.BEHIND;
      SpaceHead next = head.next();
      heads.put(write.space(), next);
      context.rowCache().advanceHead(write.space(), next);
      pendingAppends.acceptWrite();
      commits.add(
          new Commit(
              write.space(),
              next.sequence(),
              context.dependencies().host(),
              next.hostCounter(),
              transaction.now(),
              transaction.visibleChanges()));
    }
  }

  /**
   * Undoes one write. A write alone in its group has no savepoint: with no commits, the group is
   * rolled back. Where the engine has ended the whole transaction (a full disk), the other writes
   * fail for the same reason.
   */
  private void undoWrite(boolean grouped, Throwable refusal) {
    if (!grouped) {
      return;
    }
    try {
      context.session().rollBackToSavepoint();
    } catch (SQLException e) {
      refusal.addSuppressed(e);
      throw refusal instanceof StoreException reason
          ? reason
          : StoreException.transactionFailed(
              "Another write in the same group of writes failed", refusal);
    }
  }

  private void placeSavepointHere(DatabaseSession databaseSession) throws SQLException {
    switch (savepoint) {
      case NONE -> databaseSession.setSavepoint();
      case BEHIND -> {
        databaseSession.moveSavepoint();
        pendingAppends.savepointMoved();
      }
      case HERE -> {}
    }
    savepoint = SavepointPosition.HERE;
  }

  private @Nullable SpaceHead headOf(PendingWrite<?> write) throws SQLException {
    SpaceHead known = heads.get(write.space());
    if (known != null) {
      return known;
    }
    SpaceHead found = context.session().lockHead(write.space()).orElse(null);
    if (found == null) {
      write.refuse(StoreException.unknownSpace(write.space()));
    }
    return found;
  }

  private void advanceOthers(SpaceId last) throws SQLException {
    for (Map.Entry<SpaceId, SpaceHead> head : heads.entrySet()) {
      if (!head.getKey().equals(last)) {
        context.session().advanceHead(head.getKey(), head.getValue());
      }
    }
  }

  private void commit(Commit last) throws SQLException {
    DatabaseSession databaseSession = context.session();
    SpaceHead head = Objects.requireNonNull(heads.get(last.space()));
    databaseSession.prepareCommit(last, head, pendingAppends.pendingRows());
    try {
      databaseSession.commit(last, head, pendingAppends.pendingRows());
    } catch (SQLException e) {
      if (!engine.hasCommitted(databaseSession, last, e)) {
        throw e;
      }
    }
  }

  /**
   * Reports an index error in a group of several writes as a failed transaction: the rows of one
   * write do not conflict with the others' when those are retried.
   */
  private StoreException groupError(StoreException reason) {
    return commits.size() > 1 && reason.code() == StoreErrorCode.INDEX_ERROR
        ? StoreException.transactionFailed(
            "Another write in the same group of writes failed", reason)
        : reason;
  }

  private StoreException rollBack(StoreException reason) {
    try {
      context.session().rollback();
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
    return reason;
  }
}
