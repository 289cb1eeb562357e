package dev.caliber.store.maintenance;

import dev.caliber.store.Durability;
import dev.caliber.store.Table;
import dev.caliber.store.TableIndex;
import dev.caliber.store.jdbc.postgres.PostgresSecurity;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.RegisteredTable;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import dev.caliber.store.jdbc.sql.TableSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks of a PostgreSQL server's settings, the isolation of spaces, and indexes. The server's disk
 * cannot be seen from here and is left to its operator.
 */
final class PostgresChecks {

  private static final String REINDEX =
      "Run REINDEX on the index, then run 'caliber doctor' again.";

  private static final String BY_INDEX =
      "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;"
          + " SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on";

  private static final String BY_TABLE =
      "SET LOCAL enable_seqscan = on; SET LOCAL enable_bitmapscan = off;"
          + " SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off";

  private static final String INDEXES =
      """
      SELECT c.oid, c.relname, i.indisvalid FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND a.amname = 'btree' ORDER BY c.relname""";

  private final PostgresSecurity security;
  private final DeclaredTables declaredTables;

  PostgresChecks(PostgresSecurity security, DeclaredTables declaredTables) {
    this.security = security;
    this.declaredTables = declaredTables;
  }

  List<StoreCheck> all(Durability durability) {
    return List.of(
        StoreCheck.of(
            "settings",
            (databaseSession, doctorFindingCollector) ->
                checkSettings(databaseSession, durability, doctorFindingCollector)),
        new StoreCheck("isolation", DatabaseRole.OWNER, this::checkIsolation),
        StoreCheck.of("index counts", this::checkCounts),
        new StoreCheck("index order", DatabaseRole.OWNER, PostgresChecks::checkOrder));
  }

  private static void checkSettings(
      DatabaseSession databaseSession,
      Durability durability,
      DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
      String value = text(databaseSession, "SHOW " + setting);
      boolean chosen = setting.equals("synchronous_commit") && durability == Durability.RELAXED;
      if (value.equals("off") && !chosen) {
        doctorFindingCollector.error(
            DoctorFindingCode.UNSAFE_SETTING,
            setting,
            "is off: a crash of the database server can lose or damage committed data",
            "Set %s = on in postgresql.conf and reload the configuration of the database server."
                .formatted(setting));
      }
    }
  }

  private void checkIsolation(
      DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    Set<String> tables = new LinkedHashSet<>(StoreFormatV1.OWN_TABLES);
    RegisteredTable.readAll(databaseSession).forEach(table -> tables.add(table.name()));
    for (String weakness : security.weaknesses(databaseSession.connection(), tables)) {
      doctorFindingCollector.error(
          DoctorFindingCode.ROW_SECURITY_INSUFFICIENT,
          "row security",
          weakness,
          "Close the store and open it again: opening protects the tables. docs/postgresql.md describes the roles.");
    }
  }

  /** Checks that each index contains as many rows as the table holds for it. */
  private void checkCounts(
      DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    for (PreparedTable<?> runtime : declaredTables.all()) {
      Table<?> table = runtime.table();
      compareCounts(databaseSession, table, "\"space\", \"key\"", "true", doctorFindingCollector);
      for (TableIndex tableIndex : table.indexes()) {
        String order =
            "\"space\", "
                + String.join(", ", tableIndex.columns().stream().map(TableSql::quote).toList());
        compareCounts(
            databaseSession,
            table,
            order,
            TableSql.indexedCondition(tableIndex),
            doctorFindingCollector);
      }
    }
  }

  private static void compareCounts(
      DatabaseSession databaseSession,
      Table<?> table,
      String order,
      String condition,
      DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    String count =
        "SELECT count(*) FROM (SELECT %1$s FROM %2$s WHERE %3$s ORDER BY %1$s OFFSET 0) x"
            .formatted(order, TableSql.quote(table.name()), condition);
    databaseSession.executeOnce(BY_TABLE);
    String held = text(databaseSession, count);
    databaseSession.executeOnce(BY_INDEX);
    String shown = text(databaseSession, count);
    if (!held.equals(shown)) {
      doctorFindingCollector.error(
          DoctorFindingCode.INDEX_MISMATCH,
          table.name(),
          "the index over %s contains %s rows, but the table contains %s"
              .formatted(order, shown, held),
          REINDEX);
    }
  }

  /**
   * Checks with amcheck that each index is in order and contains every row. If the extension is
   * missing, it is created within this transaction, or the check is skipped if that is not
   * permitted.
   */
  private static void checkOrder(
      DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    databaseSession.executeOnce("SET LOCAL statement_timeout = 0");
    Optional<String> amcheck = amcheck(databaseSession);
    for (BtreeIndex index : indexes(databaseSession)) {
      if (!index.valid) {
        doctorFindingCollector.error(
            DoctorFindingCode.INDEX_MISSING,
            index.name,
            "PostgreSQL has marked the index as not valid",
            REINDEX);
      } else if (amcheck.isPresent()) {
        checkIndex(databaseSession, amcheck.get(), index, doctorFindingCollector);
      }
    }
  }

  private record BtreeIndex(long oid, String name, boolean valid) {}

  private static List<BtreeIndex> indexes(DatabaseSession databaseSession) throws SQLException {
    List<BtreeIndex> indexes = new ArrayList<>();
    try (Statement statement = databaseSession.connection().createStatement();
        ResultSet rows = statement.executeQuery(INDEXES)) {
      while (rows.next()) {
        indexes.add(new BtreeIndex(rows.getLong(1), rows.getString(2), rows.getBoolean(3)));
      }
    }
    return indexes;
  }

  /** Returns the schema of the extension's functions; empty if they are not available. */
  private static Optional<String> amcheck(DatabaseSession databaseSession) throws SQLException {
    String find =
        """
        SELECT quote_ident(n.nspname) FROM pg_extension e
        JOIN pg_namespace n ON n.oid = e.extnamespace
        JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = 'bt_index_check'
        AND p.pronargs = 2 AND has_function_privilege(p.oid, 'EXECUTE')
        WHERE e.extname = 'amcheck'""";
    databaseSession.setSavepoint();
    try {
      databaseSession.executeOnce("CREATE EXTENSION IF NOT EXISTS amcheck");
    } catch (SQLException e) {
      if (!databaseSession.isUsable()) {
        throw e;
      }
      databaseSession.rollBackToSavepoint();
    }
    try (Statement statement = databaseSession.connection().createStatement();
        ResultSet rows = statement.executeQuery(find)) {
      return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
    }
  }

  private static void checkIndex(
      DatabaseSession databaseSession,
      String schema,
      BtreeIndex index,
      DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    Connection connection = databaseSession.connection();
    databaseSession.setSavepoint();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT %s.bt_index_check(?::oid::regclass, true)".formatted(schema))) {
      statement.setLong(1, index.oid);
      statement.execute();
    } catch (SQLException e) {
      if (!databaseSession.isUsable()) {
        throw e;
      }
      databaseSession.rollBackToSavepoint();
      doctorFindingCollector.error(
          DoctorFindingCode.INDEX_MISMATCH, index.name, String.valueOf(e.getMessage()), REINDEX);
    }
  }

  private static String text(DatabaseSession databaseSession, String sql) throws SQLException {
    try (Statement statement = databaseSession.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
