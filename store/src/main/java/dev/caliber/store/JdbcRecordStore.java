package dev.caliber.store;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
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
 * The record store over JDBC, the same on both engines.
 *
 * <p>Work runs on platform threads: writes on the lanes' writer threads, reads on the caller's own
 * thread or, if that is a virtual one, on a reader thread, because a native call would hold its
 * carrier.
 */
final class JdbcRecordStore implements RecordStore, EngineEvents {

  private static final String SPACES = "SELECT \"name\" FROM store_space";

  private static final String CREATE_SPACE =
      """
      INSERT INTO store_space ("name", "epoch", "sequence", "host_counter", "created_at")
      VALUES (?, 1, 0, 0, ?) ON CONFLICT DO NOTHING""";

  private final Engine engine;
  private final Catalogue catalogue;
  private final StoreConfig config;
  private final Clock clock;
  private final Id host;
  private final Sessions readers;
  private final WriteLanes lanes;
  private final Repeating trimming;
  private final ExecutorService readerThreads;
  private final FeedSignals signals = new FeedSignals();
  private final SharedReads feedReads = new SharedReads();
  private final Set<SpaceId> knownSpaces = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

  /** A read by the store itself. */
  interface SessionRead<T> {
    T apply(Session session) throws SQLException;
  }

  private JdbcRecordStore(Engine engine, Catalogue catalogue, StoreConfig config, Seams seams) {
    this.engine = engine;
    this.catalogue = catalogue;
    this.config = config;
    this.clock = seams.clock();
    this.host = seams.host();
    this.readers = new Sessions(() -> engine.open(SessionRole.READER), config.reads());
    this.readerThreads =
        Executors.newFixedThreadPool(
            config.reads().sessions(),
            Thread.ofPlatform().name("caliber-reader-", 0).daemon().factory());
    this.trimming = new Repeating("trimming", config.feed().trimInterval(), this::trimFeeds);
    KnownRows known = new KnownRows();
    this.lanes =
        new WriteLanes(
            engine,
            config.writes(),
            known,
            session -> new WriteTurn(session, known, catalogue, config, seams),
            this::committed);
  }

  static JdbcRecordStore open(StoreConfig config, List<Table<?>> declared, Clock clock, Ids ids) {
    Engine engine = Engines.open(config);
    try {
      Catalogue catalogue = catalogue(declared, engine.dialect());
      Id host = SchemaLayout.apply(engine, catalogue, clock, ids);
      JdbcRecordStore store =
          new JdbcRecordStore(engine, catalogue, config, new Seams(clock, ids, host));
      return started(store);
    } catch (Throwable e) {
      closeSuppressing(e, engine);
      throw e;
    }
  }

  private static JdbcRecordStore started(JdbcRecordStore store) {
    try {
      store.start();
      return store;
    } catch (Throwable e) {
      closeSuppressing(e, store);
      throw e;
    }
  }

  static Catalogue catalogue(List<Table<?>> declared, Dialect dialect) {
    List<Table<?>> tables = new ArrayList<>(declared);
    tables.add(Jobs.TABLE);
    return new Catalogue(tables, dialect);
  }

  private void start() {
    lanes.start();
    createSpace(SpaceId.DEFAULT);
    engine.start(this);
    trimming.start();
  }

  @Override
  public <T> T read(SpaceId space, Function<Snapshot, T> work) {
    requireOutside();
    requireSpace(space);
    if (engine.sharesOneSession()) {
      return lanes.write(space, transaction -> guarded(() -> work.apply(transaction)));
    }
    return onSnapshot(
        space,
        session -> {
          JdbcSnapshot snapshot = new JdbcSnapshot(session, space, catalogue, config.reads());
          try {
            return guarded(() -> work.apply(snapshot));
          } finally {
            snapshot.end();
          }
        });
  }

  @Override
  public <T> T write(SpaceId space, Function<Transaction, T> work) {
    requireOutside();
    requireSpace(space);
    return lanes.write(space, transaction -> guarded(() -> work.apply(transaction)));
  }

  @Override
  public ChangeFeed changes() {
    return new JdbcChangeFeed(this, signals, feedReads, config.feed(), clock);
  }

  @Override
  public void createSpace(SpaceId space) {
    upkeep(
        space,
        session -> {
          PreparedStatement statement = session.statement(CREATE_SPACE);
          statement.setString(1, space.value());
          session.dialect().bind(statement, 2, ColumnType.INSTANT, clock.instant());
          statement.executeUpdate();
        });
    knownSpaces.add(space);
  }

  @Override
  public SortedSet<SpaceId> spaces() {
    SortedSet<SpaceId> spaces = new TreeSet<>();
    onKeeper(
        session -> {
          PreparedStatement statement = session.statement(SPACES);
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
    requireOutside();
    requireOpen();
    return engine.purgeDeleted();
  }

  @Override
  public void changed(SpaceId space) {
    signals.changed(space);
  }

  @Override
  public void betweenWrites(SessionTask task) {
    lanes.betweenWrites(task);
  }

  /** A short transaction of the store's own in one space, beside the records. */
  void upkeep(SpaceId space, SessionTask task) {
    requireOutside();
    lanes.betweenWrites(space, task);
  }

  /** Runs a read of the store's own on one snapshot. */
  <T> T onSnapshot(SpaceId space, SessionRead<T> work) {
    requireOutside();
    if (engine.sharesOneSession()) {
      List<T> result = new ArrayList<>(1);
      lanes.betweenWrites(
          session -> {
            session.beginRead(space);
            result.add(inTransaction(session, work));
          });
      return result.getFirst();
    }
    Lease lease = readers.lease();
    try {
      return Thread.currentThread().isVirtual()
          ? Outcomes.await(
              CompletableFuture.supplyAsync(() -> onLease(lease, space, work), readerThreads))
          : onLease(lease, space, work);
    } finally {
      lease.close();
    }
  }

  private static <T> T onLease(Lease lease, SpaceId space, SessionRead<T> work) {
    try {
      return inTransaction(lease.begin(space), work);
    } catch (SQLException e) {
      throw lease.session().dialect().translate("A read", e);
    }
  }

  private static <T> T inTransaction(Session session, SessionRead<T> work) throws SQLException {
    return inTransaction(session, work, Session::commit);
  }

  private static <T> T inTransaction(Session session, SessionRead<T> work, SessionTask commit)
      throws SQLException {
    try {
      T result = work.apply(session);
      commit.run(session);
      return result;
    } catch (Throwable e) {
      try {
        session.rollback();
      } catch (SQLException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
  }

  /** Runs work that sees all spaces, on a session of its own. */
  void onKeeper(SessionTask task) {
    onSession(SessionRole.KEEPER, task);
  }

  /** Runs work on a new session of this role. */
  void onSession(SessionRole role, SessionTask task) {
    requireOpen();
    requireOutside();
    if (engine.sharesOneSession()) {
      lanes.betweenWrites(task);
      return;
    }
    try (Session session = engine.open(role)) {
      task.run(session);
    } catch (SQLException e) {
      throw engine.dialect().translate("Upkeep", e);
    }
  }

  /** Reads one state of all spaces, beside readers and writers. */
  <T> T survey(SessionRead<T> work) {
    List<T> result = new ArrayList<>(1);
    onKeeper(
        session -> {
          session.beginSurvey();
          result.add(inTransaction(session, work));
        });
    return result.getFirst();
  }

  /** Writes to all spaces in one transaction while nobody else writes. */
  <T> T alone(SessionRead<T> work) {
    List<T> result = new ArrayList<>(1);
    SessionTask task =
        session -> {
          session.beginAlone();
          result.add(inTransaction(session, work, this::commitAlone));
        };
    if (engine.writesOnOneSession()) {
      lanes.betweenWrites(task);
    } else {
      onKeeper(task);
    }
    return result.getFirst();
  }

  private void commitAlone(Session session) throws SQLException {
    try {
      session.commit();
    } catch (SQLException e) {
      engine.requireKnownOutcome(e);
      throw e;
    }
  }

  /** The content of these spaces is another one now: whoever follows them should look. */
  void replaced(Set<SpaceId> spaces, List<Commit> commits) {
    knownSpaces.addAll(spaces);
    committed(commits);
    spaces.forEach(signals::changed);
  }

  StoreConfig config() {
    return config;
  }

  Clock clock() {
    return clock;
  }

  Id host() {
    return host;
  }

  Engine engine() {
    return engine;
  }

  Catalogue catalogue() {
    return catalogue;
  }

  private void trimFeeds() {
    spaces().forEach(space -> changes().trim(space));
  }

  private void committed(List<Commit> commits) {
    if (!commits.isEmpty()) {
      signals.committed(commits);
      engine.announce(commits);
    }
  }

  /** Refuses a space that is not there; spaces stay once they are. */
  void requireSpace(SpaceId space) {
    if (knownSpaces.contains(space)) {
      return;
    }
    requireOpen();
    if (onSnapshot(space, session -> session.head(space)).isEmpty()) {
      throw StoreException.unknownSpace(space);
    }
    knownSpaces.add(space);
  }

  private void requireOpen() {
    if (closed.get()) {
      throw StoreException.closed();
    }
  }

  private void requireOutside() {
    if (inside.get()) {
      throw StoreException.nested();
    }
  }

  private <T> T guarded(Supplier<T> work) {
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
