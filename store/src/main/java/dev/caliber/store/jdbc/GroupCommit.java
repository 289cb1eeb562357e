package dev.caliber.store.jdbc;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.Engine;
import dev.caliber.store.jdbc.sql.FeedSql;
import dev.caliber.store.jdbc.sql.SpaceHead;
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

  /** True if the group has several writes, so that each needs a savepoint. */
  private boolean grouped;

  /** True if the current write has sent a statement that changes something. */
  private boolean sent;

  private enum SavepointPosition {
    NONE,
    BEHIND,
    HERE
  }

  GroupCommit(WriterContext turn, Engine engine) {
    this.context = turn;
    this.engine = engine;
    this.pendingAppends = new PendingAppends(turn.session(), this::beforeSend);
  }

  /**
   * Runs the group in the transaction that has been begun and returns its commits. If it throws,
   * nothing was committed.
   */
  List<Commit> run(List<PendingWrite<?>> group) {
    DatabaseSession databaseSession = context.session();
    try {
      grouped = group.size() > 1;
      for (PendingWrite<?> write : group) {
        runWrite(write);
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

  private void runWrite(PendingWrite<?> write) throws SQLException {
    DatabaseSession databaseSession = context.session();
    SpaceHead head = headOf(write);
    if (head == null) {
      return;
    }
    sent = false;
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
      pendingAppends.dropRefusedWrite(undoWrite(transaction.hasFailedStatement(), refusal));
      return;
    }
    if (transaction.changes().hasWrites()) {
      savepoint = sent && grouped ? SavepointPosition.BEHIND : savepoint;
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
   * Undoes one write; returns whether statements were rolled back. A write alone in its group has
   * no savepoint: with no commits, the group is rolled back. A write that has sent nothing leaves
   * nothing, unless one of its reads has failed, after which PostgreSQL refuses all statements.
   * Where the transaction cannot continue (a full disk), the other writes fail for the same reason.
   */
  private boolean undoWrite(boolean readFailed, Throwable refusal) {
    if (!grouped || (savepoint != SavepointPosition.HERE && !readFailed)) {
      return false;
    }
    try {
      if (savepoint != SavepointPosition.HERE) {
        throw new SQLException("A read failed before the savepoint of its write was set");
      }
      context.session().rollBackToSavepoint();
      return true;
    } catch (SQLException e) {
      refusal.addSuppressed(e);
      throw refusal instanceof StoreException reason && reason.code() == StoreErrorCode.DISK_FULL
          ? reason
          : StoreException.transactionFailed(
              "Another write in the same group of writes failed", refusal);
    }
  }

  /** Sets the savepoint before the first statement of a write that changes something. */
  private void beforeSend() throws SQLException {
    sent = true;
    if (!grouped) {
      return;
    }
    DatabaseSession databaseSession = context.session();
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
