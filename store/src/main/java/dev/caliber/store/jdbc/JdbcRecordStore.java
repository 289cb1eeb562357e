package dev.caliber.store.jdbc;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeFeed;
import dev.caliber.store.ColumnType;
import dev.caliber.store.Commit;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import dev.caliber.store.UninterruptibleWait;
import dev.caliber.store.jdbc.sql.BorrowedSession;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DatabaseTask;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.Engine;
import dev.caliber.store.jdbc.sql.EngineListener;
import dev.caliber.store.jdbc.sql.PeriodicTask;
import dev.caliber.store.jdbc.sql.ReaderSessionPool;
import dev.caliber.store.job.Jobs;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Record store over JDBC, identical on both engines.
 *
 * <p>Writes run on the lanes' platform writer threads. Reads run on the caller's own thread or, if
 * that is virtual, on a reader thread, because a native call would block its carrier.
 */
public final class JdbcRecordStore implements RecordStore, EngineListener {

  private static final String SPACES = "SELECT \"name\" FROM store_space";

  private static final String CREATE_SPACE =
      """
      INSERT INTO store_space ("name", "epoch", "sequence", "host_counter", "created_at")
      VALUES (?, 1, 0, 0, ?) ON CONFLICT DO NOTHING""";

  private final Engine engine;
  private final DeclaredTables declaredTables;
  private final StoreConfig config;
  private final Clock clock;
  private final Id host;
  private final ReaderSessionPool readers;
  private final WriteLanes lanes;
  private final PeriodicTask trimming;
  private final ExecutorService readerThreads;
  private final FeedSignals signals = new FeedSignals();
  private final SharedFeedReader feedReads = new SharedFeedReader();
  private final Set<SpaceId> knownSpaces = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

  /** Read by the store itself. */
  public interface DatabaseRead<T> {
    T apply(DatabaseSession databaseSession) throws SQLException;
  }

  private JdbcRecordStore(
      Engine engine,
      DeclaredTables declaredTables,
      StoreConfig config,
      StoreDependencies storeDependencies) {
    this.engine = engine;
    this.declaredTables = declaredTables;
    this.config = config;
    this.clock = storeDependencies.clock();
    this.host = storeDependencies.host();
    this.readers = new ReaderSessionPool(() -> engine.open(DatabaseRole.READER), config.reads());
    this.readerThreads =
        Executors.newFixedThreadPool(
            config.reads().connections(),
            Thread.ofPlatform().name("caliber-reader-", 0).daemon().factory());
    this.trimming = new PeriodicTask("trimming", config.feed().trimInterval(), this::trimFeeds);
    WriterRowCache known = new WriterRowCache();
    this.lanes =
        new WriteLanes(
            engine,
            config.writes(),
            known,
            databaseSession ->
                new WriterContext(
                    databaseSession, known, declaredTables, config, storeDependencies),
            this::notifyCommitted);
  }

  static JdbcRecordStore open(
      StoreConfig config, List<Table<?>> declared, Clock clock, IdGenerator idGenerator) {
    Engine engine = EngineFactory.open(config);
    try {
      DeclaredTables declaredTables = declaredTables(declared, engine.dialect());
      Id host = SchemaLayout.apply(engine, declaredTables, clock, idGenerator);
      JdbcRecordStore store =
          new JdbcRecordStore(
              engine, declaredTables, config, new StoreDependencies(clock, idGenerator, host));
      return startOrClose(store);
    } catch (Throwable e) {
      closeSuppressing(e, engine);
      throw e;
    }
  }

  private static JdbcRecordStore startOrClose(JdbcRecordStore store) {
    try {
      store.start();
      return store;
    } catch (Throwable e) {
      closeSuppressing(e, store);
      throw e;
    }
  }

  static DeclaredTables declaredTables(List<Table<?>> declared, Dialect dialect) {
    List<Table<?>> tables = new ArrayList<>(declared);
    tables.add(Jobs.TABLE);
    return new DeclaredTables(tables, dialect);
  }

  private void start() {
    lanes.start();
    createSpace(SpaceId.DEFAULT);
    engine.start(this);
    trimming.start();
  }

  @Override
  public <T> T read(SpaceId space, Function<Snapshot, T> work) {
    requireNotNested();
    requireSpace(space);
    if (engine.sharesOneSession()) {
      return lanes.write(space, transaction -> runGuardingNesting(() -> work.apply(transaction)));
    }
    return readSnapshot(
        space,
        databaseSession -> {
          JdbcSnapshot snapshot =
              new JdbcSnapshot(databaseSession, space, declaredTables, config.reads());
          try {
            return runGuardingNesting(() -> work.apply(snapshot));
          } finally {
            snapshot.end();
          }
        });
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    requireNotNested();
    requireSpace(space);
    return lanes.write(space, transaction -> runGuardingNesting(() -> work.apply(transaction)));
  }

  @Override
  public ChangeFeed changes() {
    return new JdbcChangeFeed(this, signals, feedReads, config.feed(), clock);
  }

  @Override
  public void createSpace(SpaceId space) {
    runMaintenance(
        space,
        databaseSession -> {
          PreparedStatement statement = databaseSession.statement(CREATE_SPACE);
          statement.setString(1, space.value());
          databaseSession.dialect().bind(statement, 2, ColumnType.INSTANT, clock.instant());
          statement.executeUpdate();
        });
    knownSpaces.add(space);
  }

  @Override
  public SortedSet<SpaceId> spaces() {
    SortedSet<SpaceId> spaces = new TreeSet<>();
    runAsKeeper(
        databaseSession -> {
          PreparedStatement statement = databaseSession.statement(SPACES);
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              spaces.add(new SpaceId(rows.getString(1)));
            }
          }
        });
    knownSpaces.addAll(spaces);
    return spaces;
  }

  @Override
  public boolean purgeDeleted() {
    requireNotNested();
    requireOpen();
    return engine.purgeDeleted();
  }

  @Override
  public void spaceChanged(SpaceId space) {
    signals.notifyChanged(space);
  }

  @Override
  public void runBetweenWrites(DatabaseTask task) {
    lanes.runBetweenWrites(task);
  }

  /** Runs a short transaction of the store's own in one space, without a commit of records. */
  void runMaintenance(SpaceId space, DatabaseTask task) {
    requireNotNested();
    lanes.runBetweenWrites(space, task);
  }

  /** Runs a read of the store's own on one snapshot. */
  <T> T readSnapshot(SpaceId space, DatabaseRead<T> work) {
    requireNotNested();
    if (engine.sharesOneSession()) {
      List<T> result = new ArrayList<>(1);
      lanes.runBetweenWrites(
          databaseSession -> {
            databaseSession.beginRead(space);
            result.add(inTransaction(databaseSession, work));
          });
      return result.getFirst();
    }
    BorrowedSession borrowedSession = readers.borrow();
    try {
      return Thread.currentThread().isVirtual()
          ? UninterruptibleWait.await(
              CompletableFuture.supplyAsync(
                  () -> readWith(borrowedSession, space, work), readerThreads))
          : readWith(borrowedSession, space, work);
    } finally {
      borrowedSession.close();
    }
  }

  private static <T> T readWith(
      BorrowedSession borrowedSession, SpaceId space, DatabaseRead<T> work) {
    try {
      return inTransaction(borrowedSession.begin(space), work);
    } catch (SQLException e) {
      throw borrowedSession.session().dialect().translate("A read", e);
    }
  }

  private static <T> T inTransaction(DatabaseSession databaseSession, DatabaseRead<T> work)
      throws SQLException {
    return inTransaction(databaseSession, work, DatabaseSession::commit);
  }

  private static <T> T inTransaction(
      DatabaseSession databaseSession, DatabaseRead<T> work, DatabaseTask commit)
      throws SQLException {
    try {
      T result = work.apply(databaseSession);
      commit.run(databaseSession);
      return result;
    } catch (Throwable e) {
      try {
        databaseSession.rollback();
      } catch (SQLException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
  }

  /** Runs a task that sees all spaces, on a session of its own. */
  public void runAsKeeper(DatabaseTask task) {
    runInSession(DatabaseRole.KEEPER, task);
  }

  /** Runs a task on a new session with this role. */
  public void runInSession(DatabaseRole role, DatabaseTask task) {
    requireOpen();
    requireNotNested();
    if (engine.sharesOneSession()) {
      lanes.runBetweenWrites(task);
      return;
    }
    try (DatabaseSession databaseSession = engine.open(role)) {
      task.run(databaseSession);
    } catch (SQLException e) {
      throw engine.dialect().translate("Upkeep", e);
    }
  }

  /** Reads one state of all spaces while other readers and writers continue. */
  public <T> T readAllSpaces(DatabaseRead<T> work) {
    List<T> result = new ArrayList<>(1);
    runAsKeeper(
        databaseSession -> {
          databaseSession.beginReadOfAllSpaces();
          result.add(inTransaction(databaseSession, work));
        });
    return result.getFirst();
  }

  /** Writes to all spaces in one transaction that excludes other writers. */
  public <T> T writeExclusively(DatabaseRead<T> work) {
    List<T> result = new ArrayList<>(1);
    DatabaseTask task =
        databaseSession -> {
          databaseSession.beginExclusiveWrite();
          result.add(inTransaction(databaseSession, work, this::commitExclusiveWrite));
        };
    if (engine.writesOnOneSession()) {
      lanes.runBetweenWrites(task);
    } else {
      runAsKeeper(task);
    }
    return result.getFirst();
  }

  private void commitExclusiveWrite(DatabaseSession databaseSession) throws SQLException {
    try {
      databaseSession.commit();
    } catch (SQLException e) {
      engine.requireKnownOutcome(e);
      throw e;
    }
  }

  /** Notifies followers that the content of these spaces was replaced. */
  public void notifyReplaced(Set<SpaceId> spaces, List<Commit> commits) {
    knownSpaces.addAll(spaces);
    notifyCommitted(commits);
    spaces.forEach(signals::notifyChanged);
  }

  public StoreConfig config() {
    return config;
  }

  public Clock clock() {
    return clock;
  }

  public Id host() {
    return host;
  }

  public Engine engine() {
    return engine;
  }

  public DeclaredTables declaredTables() {
    return declaredTables;
  }

  private void trimFeeds() {
    spaces().forEach(space -> changes().trim(space));
  }

  private void notifyCommitted(List<Commit> commits) {
    if (!commits.isEmpty()) {
      signals.notifyCommitted(commits);
      engine.notifyOtherProcesses(commits);
    }
  }

  /** Throws if the space does not exist. Spaces are never removed. */
  void requireSpace(SpaceId space) {
    if (knownSpaces.contains(space)) {
      return;
    }
    requireOpen();
    if (readSnapshot(space, databaseSession -> databaseSession.head(space)).isEmpty()) {
      throw StoreException.unknownSpace(space);
    }
    knownSpaces.add(space);
  }

  private void requireOpen() {
    if (closed.get()) {
      throw StoreException.closed();
    }
  }

  private void requireNotNested() {
    if (inside.get()) {
      throw StoreException.nestedCall();
    }
  }

  private <T> T runGuardingNesting(Supplier<T> work) {
    inside.set(true);
    try {
      return work.get();
    } finally {
      inside.set(false);
    }
  }

  @Override
  public void close() {
    closed.set(true);
    trimming.close();
    engine.stop();
    lanes.close();
    readers.close();
    readerThreads.close();
    engine.close();
  }

  private static void closeSuppressing(Throwable first, AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      first.addSuppressed(e);
    }
  }
}
