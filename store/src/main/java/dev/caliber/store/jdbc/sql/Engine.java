package dev.caliber.store.jdbc.sql;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.ProgressListener;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** A database that holds a store: SQLite in this process, or a PostgreSQL server. */
public interface Engine extends AutoCloseable {

  Dialect dialect();

  /** Returns the file or the server's address, for messages; never a password. */
  String location();

  DatabaseSession open(DatabaseRole role);

  /**
   * Returns the lane of a space. Writes of one lane run one after the other, writes of different
   * lanes in parallel.
   */
  Object lane(SpaceId space);

  /** Returns the number of lanes that are served at once. */
  int writerCount();

  /** Returns true if there is only one connection, so that reads wait for writes too. */
  boolean sharesOneSession();

  /** Returns true if a second writing session would only wait for the first. */
  boolean writesOnOneSession();

  /** Locks the schema while a store's tables are laid out; the lock ends with the transaction. */
  void lockSchema(DatabaseSession keeper) throws SQLException;

  /** Creates roles, rights and policies for the tables, where the engine has such things. */
  void protectTables(DatabaseSession keeper, Set<String> tables) throws SQLException;

  /**
   * Writes one state of the store into an existing empty SQLite file while readers and writers
   * continue. The keeper session has no open transaction.
   */
  void copyTo(
      DatabaseSession keeper,
      Path file,
      DeclaredTables declaredTables,
      ProgressListener progressListener)
      throws SQLException;

  /** Returns the number of bytes that the store occupies. */
  long sizeInBytes(DatabaseSession databaseSession) throws SQLException;

  /**
   * Rewrites the store without the space that deleted rows occupied. The session is the writer's on
   * an engine with one writing session, else the owner's, and has no open transaction.
   */
  void compact(DatabaseSession databaseSession, ProgressListener progressListener)
      throws SQLException;

  /** Starts the engine's background tasks: checkpoints, notifications. */
  void start(EngineListener events);

  /** Notifies other processes of commits, if several processes can share the store. */
  void notifyOtherProcesses(List<Commit> commits);

  /**
   * Finds out the outcome of a failed commit: true if it is known to have happened, false if not.
   * {@code COMMIT_OUTCOME_UNKNOWN} if the outcome cannot be determined.
   */
  boolean hasCommitted(DatabaseSession databaseSession, Commit ours, SQLException failure);

  /** Throws {@code COMMIT_OUTCOME_UNKNOWN} if a failed commit of maintenance may have happened. */
  void requireKnownOutcome(SQLException failure);

  /**
   * Removes deleted content from the engine's files; returns false if something still holds it
   * there.
   */
  boolean purgeDeleted();

  /** Stops the background tasks that {@link #start} began; sessions stay open. */
  void stop();

  @Override
  void close();
}
