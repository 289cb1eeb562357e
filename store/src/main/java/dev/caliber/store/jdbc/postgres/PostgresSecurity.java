package dev.caliber.store.jdbc.postgres;

import dev.caliber.store.StoreException;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import dev.caliber.store.jdbc.sql.TableSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Roles, rights and row-level security.
 *
 * <p>Ordinary sessions run as {@code <schema>_space}, which sees the rows of the one space that its
 * transaction has set. Maintenance runs as {@code <schema>_maintenance}, which sees all. Neither
 * owns a table, is a superuser or may bypass row security; the tables force it on their owner too.
 */
public final class PostgresSecurity {

  private static final int OLDEST_SERVER = 150_000;
  private static final Set<String> SHARED = Set.of(StoreFormatV1.META, StoreFormatV1.TABLES);

  private final String schema;
  private final String spaceRole;
  private final String keeperRole;

  public PostgresSecurity(String schema) {
    this.schema = schema;
    this.spaceRole = schema + "_space";
    this.keeperRole = schema + "_maintenance";
  }

  /**
   * Creates schema and roles if they are missing, and checks that the roles have no dangerous
   * rights.
   */
  void createRoles(Connection connection) throws SQLException {
    int version = Integer.parseInt(queryText(connection, "SHOW server_version_num"));
    if (version < OLDEST_SERVER) {
      throw StoreException.unreadable(
          "The server", "PostgreSQL 14 or newer is needed; the server has version " + version);
    }
    // Another process may be creating them, which may take long.
    execute(connection, "SET LOCAL statement_timeout = 0");
    execute(connection, "SET LOCAL lock_timeout = 0");
    lock(connection);
    makeRole(connection, spaceRole);
    makeRole(connection, keeperRole);
    if (!exists(connection, "SELECT 1 FROM pg_namespace WHERE nspname = ?", schema)) {
      execute(connection, "CREATE SCHEMA " + schema);
    }
    execute(
        connection, "GRANT USAGE ON SCHEMA %s TO %s, %s".formatted(schema, spaceRole, keeperRole));
    requireHarmless(connection, spaceRole);
    requireHarmless(connection, keeperRole);
  }

  private static void lock(Connection connection) throws SQLException {
    execute(
        connection, "SELECT pg_advisory_xact_lock(%d, 0)".formatted(StoreFormatV1.APPLICATION_ID));
  }

  private static void makeRole(Connection connection, String role) throws SQLException {
    if (!exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = ?", role)) {
      try {
        execute(connection, "CREATE ROLE %s NOLOGIN".formatted(role));
      } catch (SQLException e) {
        throw StoreException.isolationBroken(
            "role '%s' does not exist and cannot be created: %s".formatted(role, e.getMessage()));
      }
    }
    // From PostgreSQL 16 on, the creator of a role is its member with the right to grant it, and
    // with nothing else.
    if (!exists(connection, "SELECT 1 WHERE pg_has_role(current_user, ?, 'USAGE')", role)) {
      execute(connection, "GRANT %s TO CURRENT_USER".formatted(role));
    }
  }

  private static void requireHarmless(Connection connection, String role) throws SQLException {
    if (isHarmful(connection, role)) {
      throw StoreException.isolationBroken(
          "role '%s' is a superuser or may bypass row security".formatted(role));
    }
  }

  private static boolean isHarmful(Connection connection, String role) throws SQLException {
    return exists(
        connection,
        "SELECT 1 FROM pg_roles WHERE rolname = ? AND (rolsuper OR rolbypassrls)",
        role);
  }

  /** Switches a new connection to its role. */
  void enterRole(Connection connection, DatabaseRole role) throws SQLException {
    execute(connection, "SET search_path = " + schema);
    switch (role) {
      case READER, WRITER -> execute(connection, "SET ROLE " + spaceRole);
      case KEEPER -> execute(connection, "SET ROLE " + keeperRole);
      case OWNER -> {}
    }
  }

  /** Protects tables that are not protected yet, and checks that no working role owns one. */
  void protectTables(Connection connection, Set<String> tables) throws SQLException {
    for (String table : tables) {
      if (!isProtected(connection, table)) {
        protectTable(connection, table);
      }
    }
    if (ownsTable(connection)) {
      throw StoreException.isolationBroken(
          "a role that reads and writes records owns a table; row security does not apply to the owner");
    }
  }

  private boolean ownsTable(Connection connection) throws SQLException {
    return exists(
        connection,
        """
        SELECT 1 FROM pg_tables WHERE schemaname = current_schema()
        AND tableowner IN (?, current_schema() || '_maintenance')""",
        spaceRole);
  }

  /** Returns the reasons for which one space might see another; empty if there is none. */
  public List<String> weaknesses(Connection connection, Set<String> tables) throws SQLException {
    List<String> weaknesses = new ArrayList<>();
    for (String table : tables) {
      if (!isProtected(connection, table)) {
        weaknesses.add("table '%s' has no row security".formatted(table));
      }
    }
    for (String role : List.of(spaceRole, keeperRole)) {
      if (isHarmful(connection, role)) {
        weaknesses.add("role '%s' is a superuser or may bypass row security".formatted(role));
      }
    }
    if (ownsTable(connection)) {
      weaknesses.add(
          "a role that reads and writes records owns a table; row security does not apply to the owner");
    }
    return weaknesses;
  }

  private boolean isProtected(Connection connection, String table) throws SQLException {
    String wanted =
        SHARED.contains(table)
            ? "SELECT 1 WHERE has_table_privilege('%s', ?, 'SELECT')".formatted(spaceRole)
            : """
            SELECT 1 FROM pg_class c WHERE c.oid = to_regclass(?)
            AND c.relrowsecurity AND c.relforcerowsecurity
            AND (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid) = 2
            AND EXISTS (SELECT 1 FROM pg_policy p
            WHERE p.polrelid = c.oid AND p.polname = 'one_space'
            AND pg_get_expr(p.polqual, c.oid) LIKE '%caliber.space%'
            AND pg_get_expr(p.polwithcheck, c.oid) LIKE '%caliber.space%')""";
    return exists(connection, wanted, TableSql.quote(table));
  }

  private void protectTable(Connection connection, String table) throws SQLException {
    String name = TableSql.quote(table);
    execute(
        connection, "GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %s".formatted(name, keeperRole));
    if (SHARED.contains(table)) {
      execute(connection, "GRANT SELECT ON %s TO %s".formatted(name, spaceRole));
      return;
    }
    execute(
        connection, "GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %s".formatted(name, spaceRole));
    execute(connection, "ALTER TABLE %s ENABLE ROW LEVEL SECURITY".formatted(name));
    execute(connection, "ALTER TABLE %s FORCE ROW LEVEL SECURITY".formatted(name));
    String column = table.equals(StoreFormatV1.SPACES) ? "name" : "space";
    String own = "\"%s\" = current_setting('caliber.space', true)".formatted(column);
    execute(connection, "DROP POLICY IF EXISTS one_space ON " + name);
    execute(
        connection,
        "CREATE POLICY one_space ON %s TO %s USING (%s) WITH CHECK (%s)"
            .formatted(name, spaceRole, own, own));
    execute(connection, "DROP POLICY IF EXISTS all_spaces ON " + name);
    execute(
        connection,
        "CREATE POLICY all_spaces ON %s TO %s USING (true) WITH CHECK (true)"
            .formatted(name, keeperRole));
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String queryText(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static boolean exists(Connection connection, String sql, String value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, value);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }
}
