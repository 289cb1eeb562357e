package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** A database that holds a store: SQLite in this process, or a PostgreSQL server. */
interface Engine extends AutoCloseable {

  Dialect dialect();

  /** For messages: the file or the server's address, never a password. */
  String place();

  Session open(SessionRole role);

  /** Writes of equal lanes take turns; writes of different lanes run beside each other. */
  Object lane(SpaceId space);

  /** How many lanes are served at once. */
  int writers();

  /** True when there is one connection only, so that reads wait for their turn too. */
  boolean sharesOneSession();

  /** True when a second writing session would only wait for the first. */
  boolean writesOnOneSession();

  /** Takes the lock under which a store is laid out; released with the transaction. */
  void lockSchema(Session keeper) throws SQLException;

  /** Marks the store with the present version where its tables are not read for that. */
  void markVersion(Session keeper) throws SQLException;

  /** Makes roles, rights and policies for the tables, where the engine has such things. */
  void secure(Session keeper, Set<String> tables) throws SQLException;

  /**
   * Writes one state of the store into a SQLite file, which is there and empty, beside readers and
   * writers. The keeper has no transaction under way.
   */
  void copyTo(Session keeper, Path file, Catalogue catalogue, Progress progress)
      throws SQLException;

  /** How many bytes the store takes. */
  long bytes(Session session) throws SQLException;

  /**
   * Rewrites the store without the room that deleted rows have left. The session is the writer's
   * where there is one, else the owner's, and has no transaction under way.
   */
  void compact(Session session, Progress progress) throws SQLException;

  /** The checks that only this engine needs. */
  List<Check> checks(Catalogue catalogue, StoreConfig.Doctor limits);

  /** Starts what runs beside the store: checkpoints, notifications. */
  void start(EngineEvents events);

  /** Tells other processes, if there are any. */
  void announce(List<Commit> commits);

  /**
   * After a failed commit: true if it is known to have happened, false if not; {@code
   * COMMIT_UNKNOWN} if nobody can say.
   */
  boolean committedAfterAll(Session session, Commit ours, SQLException failure);

  /** After a failed commit of maintenance: {@code COMMIT_UNKNOWN} if it may have happened. */
  void requireKnownOutcome(SQLException failure);

  /** Removes deleted content from the engine's files; false if something still keeps it there. */
  boolean purgeDeleted();

  /** Ends what {@link #start} began; sessions stay open. */
  void stop();

  @Override
  void close();
}
