package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * A PostgreSQL server that several processes share. Each space is a lane of its own; a writer locks
 * the space's head row first, so that writers of one space take turns across processes.
 */
final class PostgresEngine implements Engine {

  private static final Pattern SCHEMA_NAME = Pattern.compile("[a-z][a-z0-9_]{0,30}");

  /** As a parameter, or before the host as other programs have it. */
  private static final Pattern PASSWORD_IN_URL =
      Pattern.compile("[?&]password=|^jdbc:postgresql://[^/?]*@", Pattern.CASE_INSENSITIVE);

  private static final String TABLES_BYTES =
      """
      SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind = 'r'""";

  private final StoreConfig.Postgres config;
  private final Durability durability;
  private final String place;
  private final Dialect dialect;
  private final PostgresSecurity security;
  private @Nullable PostgresNotices notices;

  private PostgresEngine(StoreConfig.Postgres config, Durability durability) {
    this.config = config;
    this.durability = durability;
    this.place = config.url().replaceAll("\\?.*", "");
    this.dialect = new PostgresDialect(place);
    this.security = new PostgresSecurity(config.schema());
  }

  static PostgresEngine open(StoreConfig.Postgres config, Durability durability) {
    if (!config.url().startsWith("jdbc:postgresql:")) {
      throw StoreException.unreadable(
          "store.postgres.url", "it does not begin with jdbc:postgresql:");
    }
    requireNoPassword(config.url());
    if (Driver.parseURL(config.url(), new Properties()) == null) {
      throw StoreException.unreadable(
          "store.postgres.url", "it is not like jdbc:postgresql://host:5432/database");
    }
    if (!SCHEMA_NAME.matcher(config.schema()).matches()) {
      throw StoreException.unreadable(
          "store.postgres.schema", "it is not like " + SCHEMA_NAME.pattern());
    }
    PostgresEngine engine = new PostgresEngine(config, durability);
    try (Connection connection = engine.connect()) {
      waitForAnyAnswer(connection);
      connection.setAutoCommit(false);
      engine.security.prepare(connection);
      connection.commit();
    } catch (SQLException e) {
      throw engine.dialect.translate("Preparing the server", e);
    }
    return engine;
  }

  /** An address stands in files, messages and logs. */
  private static void requireNoPassword(String url) {
    if (PASSWORD_IN_URL.matcher(url).find()) {
      throw StoreException.unreadable(
          "store.postgres.url",
          "it holds a password; name the environment variable that holds it in"
              + " store.postgres.password-variable instead");
    }
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public String place() {
    return place;
  }

  @Override
  public Session open(SessionRole role) {
    return open(role, role == SessionRole.KEEPER || role == SessionRole.OWNER);
  }

  private Session open(SessionRole role, boolean patient) {
    Connection connection = connect();
    try {
      security.enter(connection, role);
      setUp(connection, role);
      if (patient) {
        waitForAnyAnswer(connection);
      }
      return new PostgresSession(connection, dialect);
    } catch (SQLException e) {
      closeSuppressing(e, connection);
      throw dialect.translate("Opening a session", e);
    }
  }

  Connection connect() {
    Properties properties = new Properties();
    config.user().ifPresent(user -> properties.setProperty("user", user));
    config
        .passwordVariable()
        .flatMap(variable -> Optional.ofNullable(System.getenv(variable)))
        .ifPresent(password -> properties.setProperty("password", password));
    properties.setProperty("ApplicationName", "caliber");
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", seconds(config.connectTimeout()));
    properties.setProperty("loginTimeout", seconds(config.connectTimeout()));
    properties.setProperty("socketTimeout", seconds(config.answerTimeout().multipliedBy(2)));
    try {
      return DriverManager.getConnection(config.url(), properties);
    } catch (SQLException e) {
      String reason = PostgresDialect.isRefusal(e) ? "it refuses us: " : "";
      throw StoreException.unreachable(place, reason + e.getMessage(), e);
    }
  }

  /** For work that takes as long as there are rows; keep-alive still finds a dead line. */
  private static void waitForAnyAnswer(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, 0);
  }

  private static String seconds(Duration duration) {
    return Long.toString(Math.max(1, duration.toSeconds()));
  }

  /*
   * Every statement walks an index, so the planner is told so: one plan for all parameters, made
   * once, and never a scan of the whole table that an empty table would suggest.
   */
  private void setUp(Connection connection, SessionRole role) throws SQLException {
    // Laying out a store may fill a new column or index of a large table, or wait for who does.
    long bound = role == SessionRole.OWNER ? 0 : config.answerTimeout().toMillis();
    PostgresSecurity.run(connection, "SET statement_timeout = " + bound);
    PostgresSecurity.run(connection, "SET lock_timeout = " + bound);
    PostgresSecurity.run(
        connection, "SET synchronous_commit = " + (durability == Durability.FULL ? "on" : "off"));
    if (role == SessionRole.READER || role == SessionRole.WRITER) {
      PostgresSecurity.run(connection, "SET plan_cache_mode = force_generic_plan");
      PostgresSecurity.run(connection, "SET enable_seqscan = off");
      PostgresSecurity.run(connection, "SET jit = off");
    }
    PostgresSecurity.run(
        connection,
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL "
            + (role == SessionRole.READER ? "REPEATABLE READ READ ONLY" : "READ COMMITTED"));
  }

  @Override
  public Object lane(SpaceId space) {
    return space;
  }

  @Override
  public int writers() {
    return config.writers();
  }

  @Override
  public boolean sharesOneSession() {
    return false;
  }

  @Override
  public boolean writesOnOneSession() {
    return false;
  }

  @Override
  public void lockSchema(Session keeper) throws SQLException {
    PreparedStatement statement = keeper.statement("SELECT pg_advisory_xact_lock(?, hashtext(?))");
    statement.setInt(1, StoreFormatV1.APPLICATION_ID);
    statement.setString(2, config.schema());
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
    }
  }

  @Override
  public void markVersion(Session keeper) {
    // Its number stands in a table alone.
  }

  @Override
  public void secure(Session keeper, Set<String> tables) throws SQLException {
    security.protect(keeper.connection(), tables);
  }

  @Override
  public void copyTo(Session keeper, Path file, Catalogue catalogue, Progress progress)
      throws SQLException {
    StoreCopy.write(keeper, file, catalogue, progress);
  }

  @Override
  public long bytes(Session session) throws SQLException {
    try (ResultSet rows = session.statement(TABLES_BYTES).executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Table by table, so that each is locked no longer than its own rewriting takes. */
  @Override
  public void compact(Session session, Progress progress) throws SQLException {
    session.executeOnce("SET lock_timeout = " + config.answerTimeout().toMillis());
    List<String> tables = new ArrayList<>(StoreFormatV1.OWN_TABLES);
    RegisteredTable.all(session).forEach(table -> tables.add(table.name()));
    for (int i = 0; i < tables.size(); i++) {
      progress.at("compact", i, tables.size());
      session.executeOnce("VACUUM (FULL, ANALYZE) " + TableSql.quote(tables.get(i)));
    }
    progress.at("compact", tables.size(), tables.size());
  }

  @Override
  public List<Check> checks(Catalogue catalogue, StoreConfig.Doctor limits) {
    return new PostgresChecks(security, catalogue).all(durability);
  }

  @Override
  public void start(EngineEvents events) {
    notices = PostgresNotices.start(this::connect, config, events);
  }

  /** The server keeps deleted rows until it writes over their place. */
  @Override
  public boolean purgeDeleted() {
    return false;
  }

  @Override
  public void announce(List<Commit> commits) {
    if (notices != null) {
      commits.forEach(commit -> notices.send(commit.space()));
    }
  }

  /** The server knows what became of a transaction, so it is asked once it answers again. */
  @Override
  public boolean committedAfterAll(Session session, Commit ours, SQLException failure) {
    return PostgresDialect.isConnectionLoss(failure)
        && new PostgresOutcome(() -> open(SessionRole.KEEPER, false), config.connectTimeout())
            .committed(((PostgresSession) session).transactionId(), ours, failure);
  }

  @Override
  public void requireKnownOutcome(SQLException failure) {
    if (PostgresDialect.isConnectionLoss(failure)) {
      throw StoreException.commitUnknown("The connection broke while committing", failure);
    }
  }

  @Override
  public void stop() {
    if (notices != null) {
      notices.close();
    }
  }

  @Override
  public void close() {
    // Sessions are closed by those who opened them.
  }

  private static void closeSuppressing(Throwable first, Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      first.addSuppressed(e);
    }
  }
}
