package dev.caliber.store.jdbc.postgres;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Commit;
import dev.caliber.store.Durability;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.Dialect;
import dev.caliber.store.jdbc.sql.Engine;
import dev.caliber.store.jdbc.sql.EngineListener;
import dev.caliber.store.jdbc.sql.RegisteredTable;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import dev.caliber.store.jdbc.sql.TableSql;
import dev.caliber.store.jdbc.sqlite.StoreCopy;
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
 * PostgreSQL server that several processes share. Each space is a lane of its own; a writer locks
 * the space's head row first, so that writers of one space take turns across processes.
 */
public final class PostgresEngine implements Engine {

  private static final Pattern SCHEMA_NAME = Pattern.compile("[a-z][a-z0-9_]{0,30}");

  /** Matches a password in the URL: as a parameter, or before the host as in other programs. */
  private static final Pattern PASSWORD_IN_URL =
      Pattern.compile("[?&]password=|^jdbc:postgresql://[^/?]*@", Pattern.CASE_INSENSITIVE);

  private static final String TABLES_BYTES =
      """
      SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind = 'r'""";

  private final StoreConfig.PostgresSettings config;
  private final Durability durability;
  private final String place;
  private final Dialect dialect;
  private final PostgresSecurity security;
  private @Nullable PostgresNotifications notices;

  private PostgresEngine(StoreConfig.PostgresSettings config, Durability durability) {
    this.config = config;
    this.durability = durability;
    this.place = config.url().replaceAll("\\?.*", "");
    this.dialect = new PostgresDialect(place);
    this.security = new PostgresSecurity(config.schema());
  }

  public static PostgresEngine open(StoreConfig.PostgresSettings config, Durability durability) {
    if (!config.url().startsWith("jdbc:postgresql:")) {
      throw StoreException.unreadable(
          "store.postgres.url", "the address does not begin with jdbc:postgresql:");
    }
    requireNoPassword(config.url());
    if (Driver.parseURL(config.url(), new Properties()) == null) {
      throw StoreException.unreadable(
          "store.postgres.url",
          "the address does not have the form jdbc:postgresql://host:5432/database");
    }
    if (!SCHEMA_NAME.matcher(config.schema()).matches()) {
      throw StoreException.unreadable(
          "store.postgres.schema",
          "the name of the schema does not match " + SCHEMA_NAME.pattern());
    }
    PostgresEngine engine = new PostgresEngine(config, durability);
    try (Connection connection = engine.connect()) {
      disableAnswerTimeout(connection);
      connection.setAutoCommit(false);
      engine.security.createRoles(connection);
      connection.commit();
    } catch (SQLException e) {
      throw engine.dialect.translate("Preparing the server", e);
    }
    return engine;
  }

  /** Refuses a URL with a password: the URL is stored in files and printed in messages and logs. */
  private static void requireNoPassword(String url) {
    if (PASSWORD_IN_URL.matcher(url).find()) {
      throw StoreException.unreadable(
          "store.postgres.url",
          "the address contains a password; put the password into an environment variable and name the variable in store.postgres.password-variable");
    }
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public String location() {
    return place;
  }

  @Override
  public DatabaseSession open(DatabaseRole role) {
    return open(role, role == DatabaseRole.KEEPER || role == DatabaseRole.OWNER);
  }

  private DatabaseSession open(DatabaseRole role, boolean patient) {
    Connection connection = connect();
    try {
      security.enterRole(connection, role);
      configureConnection(connection, role);
      if (patient) {
        disableAnswerTimeout(connection);
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
    properties.setProperty("socketTimeout", seconds(config.statementTimeout().multipliedBy(2)));
    try {
      return DriverManager.getConnection(config.url(), properties);
    } catch (SQLException e) {
      String reason =
          PostgresDialect.isLoginRefusal(e) ? "the database server refused the login: " : "";
      throw StoreException.unreachable(place, reason + e.getMessage(), e);
    }
  }

  /**
   * Disables the answer timeout for work whose duration depends on the number of rows; keep-alive
   * still detects a dead connection.
   */
  private static void disableAnswerTimeout(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, 0);
  }

  private static String seconds(Duration duration) {
    return Long.toString(Math.max(1, duration.toSeconds()));
  }

  /*
   * Every statement walks an index, so the planner is configured for that: one plan for all
   * parameters, made once, and never a scan of the whole table, which an empty table would suggest.
   */
  private void configureConnection(Connection connection, DatabaseRole role) throws SQLException {
    // The owner's session may fill a new column or index of a large table, or wait for a process
    // that does.
    long bound = role == DatabaseRole.OWNER ? 0 : config.statementTimeout().toMillis();
    PostgresSecurity.execute(connection, "SET statement_timeout = " + bound);
    PostgresSecurity.execute(connection, "SET lock_timeout = " + bound);
    PostgresSecurity.execute(
        connection, "SET synchronous_commit = " + (durability == Durability.FULL ? "on" : "off"));
    if (role == DatabaseRole.READER || role == DatabaseRole.WRITER) {
      PostgresSecurity.execute(connection, "SET plan_cache_mode = force_generic_plan");
      PostgresSecurity.execute(connection, "SET enable_seqscan = off");
      PostgresSecurity.execute(connection, "SET jit = off");
    }
    PostgresSecurity.execute(
        connection,
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL "
            + (role == DatabaseRole.READER ? "REPEATABLE READ READ ONLY" : "READ COMMITTED"));
  }

  @Override
  public Object lane(SpaceId space) {
    return space;
  }

  @Override
  public int writerCount() {
    return config.writeConnections();
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
  public void lockSchema(DatabaseSession keeper) throws SQLException {
    PreparedStatement statement = keeper.statement("SELECT pg_advisory_xact_lock(?, hashtext(?))");
    statement.setInt(1, StoreFormatV1.APPLICATION_ID);
    statement.setString(2, config.schema());
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
    }
  }

  @Override
  public void protectTables(DatabaseSession keeper, Set<String> tables) throws SQLException {
    security.protectTables(keeper.connection(), tables);
  }

  @Override
  public void copyTo(
      DatabaseSession keeper,
      Path file,
      DeclaredTables declaredTables,
      ProgressListener progressListener)
      throws SQLException {
    StoreCopy.write(keeper, file, declaredTables, progressListener);
  }

  @Override
  public long sizeInBytes(DatabaseSession databaseSession) throws SQLException {
    try (ResultSet rows = databaseSession.statement(TABLES_BYTES).executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Rewrites one table after the other, so that each is locked only while it is rewritten. */
  @Override
  public void compact(DatabaseSession databaseSession, ProgressListener progressListener)
      throws SQLException {
    databaseSession.executeOnce("SET lock_timeout = " + config.statementTimeout().toMillis());
    List<String> tables = new ArrayList<>(StoreFormatV1.OWN_TABLES);
    RegisteredTable.readAll(databaseSession).forEach(table -> tables.add(table.name()));
    for (int i = 0; i < tables.size(); i++) {
      progressListener.onProgress("compact", i, tables.size());
      databaseSession.executeOnce("VACUUM (FULL, ANALYZE) " + TableSql.quote(tables.get(i)));
    }
    progressListener.onProgress("compact", tables.size(), tables.size());
  }

  @Override
  public void start(EngineListener events) {
    notices = PostgresNotifications.start(this::connect, config, events);
  }

  /** Returns false: the server keeps deleted rows until it overwrites them. */
  @Override
  public boolean purgeDeleted() {
    return false;
  }

  @Override
  public void notifyOtherProcesses(List<Commit> commits) {
    if (notices != null) {
      commits.forEach(commit -> notices.send(commit.space()));
    }
  }

  /** Asks the server for the outcome as soon as it answers again. */
  @Override
  public boolean hasCommitted(DatabaseSession databaseSession, Commit ours, SQLException failure) {
    return PostgresDialect.isConnectionLoss(failure)
        && new PostgresCommitOutcome(
                () -> open(DatabaseRole.KEEPER, false), config.connectTimeout())
            .hasCommitted(((PostgresSession) databaseSession).transactionId(), ours, failure);
  }

  @Override
  public void requireKnownOutcome(SQLException failure) {
    if (PostgresDialect.isConnectionLoss(failure)) {
      throw StoreException.commitUnknown(
          "The connection to the database broke during a commit", failure);
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
    // Sessions are closed by the code that opened them.
  }

  private static void closeSuppressing(Throwable first, Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      first.addSuppressed(e);
    }
  }
}
