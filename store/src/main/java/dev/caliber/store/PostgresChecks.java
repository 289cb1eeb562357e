package dev.caliber.store;

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
 * What can be wrong with a PostgreSQL server's settings, the isolation of spaces, and indexes. The
 * server's disk is its own operator's care: it cannot be seen from here.
 */
final class PostgresChecks {

  private static final String REINDEX = "Run REINDEX on it, then examine again.";

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
  private final Catalogue catalogue;

  PostgresChecks(PostgresSecurity security, Catalogue catalogue) {
    this.security = security;
    this.catalogue = catalogue;
  }

  List<Check> all(Durability durability) {
    return List.of(
        Check.of("settings", (session, findings) -> settings(session, durability, findings)),
        new Check("isolation", SessionRole.OWNER, this::isolation),
        Check.of("index counts", this::counts),
        new Check("index order", SessionRole.OWNER, PostgresChecks::order));
  }

  private static void settings(Session session, Durability durability, Findings findings)
      throws SQLException {
    for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
      String value = text(session, "SHOW " + setting);
      boolean chosen = setting.equals("synchronous_commit") && durability == Durability.RELAXED;
      if (value.equals("off") && !chosen) {
        findings.error(
            FindingCode.SETTING_UNSAFE,
            setting,
            "is off: a crash of the server can lose or damage what was committed",
            "Set %s = on in postgresql.conf and reload it.".formatted(setting));
      }
    }
  }

  private void isolation(Session session, Findings findings) throws SQLException {
    Set<String> tables = new LinkedHashSet<>(StoreFormatV1.OWN_TABLES);
    RegisteredTable.all(session).forEach(table -> tables.add(table.name()));
    for (String weakness : security.weaknesses(session.connection(), tables)) {
      findings.error(
          FindingCode.ISOLATION_BROKEN,
          "row security",
          weakness,
          "Open the store again, which protects its tables; see docs/postgresql.md for roles.");
    }
  }

  /** Each index shows as many rows as the table holds for it. */
  private void counts(Session session, Findings findings) throws SQLException {
    for (TableRuntime<?> runtime : catalogue.all()) {
      Table<?> table = runtime.table();
      compare(session, table, "\"space\", \"key\"", "true", findings);
      for (Index index : table.indexes()) {
        String order =
            "\"space\", "
                + String.join(", ", index.columns().stream().map(TableSql::quote).toList());
        compare(session, table, order, TableSql.present(index), findings);
      }
    }
  }

  private static void compare(
      Session session, Table<?> table, String order, String condition, Findings findings)
      throws SQLException {
    String count =
        "SELECT count(*) FROM (SELECT %1$s FROM %2$s WHERE %3$s ORDER BY %1$s OFFSET 0) x"
            .formatted(order, TableSql.quote(table.name()), condition);
    session.executeOnce(BY_TABLE);
    String held = text(session, count);
    session.executeOnce(BY_INDEX);
    String shown = text(session, count);
    if (!held.equals(shown)) {
      findings.error(
          FindingCode.INDEX_WRONG,
          table.name(),
          "the index over %s shows %s rows, the table holds %s".formatted(order, shown, held),
          REINDEX);
    }
  }

  /**
   * Each index is in order and holds every row, as amcheck sees it. The extension is made for the
   * length of this transaction if it is not there, and left alone if it may not be made.
   */
  private static void order(Session session, Findings findings) throws SQLException {
    session.executeOnce("SET LOCAL statement_timeout = 0");
    Optional<String> amcheck = amcheck(session);
    for (BtreeIndex index : indexes(session)) {
      if (!index.valid) {
        findings.error(FindingCode.INDEX_MISSING, index.name, "the index is not valid", REINDEX);
      } else if (amcheck.isPresent()) {
        check(session, amcheck.get(), index, findings);
      }
    }
  }

  private record BtreeIndex(long oid, String name, boolean valid) {}

  private static List<BtreeIndex> indexes(Session session) throws SQLException {
    List<BtreeIndex> indexes = new ArrayList<>();
    try (Statement statement = session.connection().createStatement();
        ResultSet rows = statement.executeQuery(INDEXES)) {
      while (rows.next()) {
        indexes.add(new BtreeIndex(rows.getLong(1), rows.getString(2), rows.getBoolean(3)));
      }
    }
    return indexes;
  }

  /** The schema of the extension's functions; empty if they cannot be had. */
  private static Optional<String> amcheck(Session session) throws SQLException {
    String find =
        """
        SELECT quote_ident(n.nspname) FROM pg_extension e
        JOIN pg_namespace n ON n.oid = e.extnamespace
        JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = 'bt_index_check'
        AND p.pronargs = 2 AND has_function_privilege(p.oid, 'EXECUTE')
        WHERE e.extname = 'amcheck'""";
    session.mark();
    try {
      session.executeOnce("CREATE EXTENSION IF NOT EXISTS amcheck");
    } catch (SQLException e) {
      if (!session.isUsable()) {
        throw e;
      }
      session.undoToMark();
    }
    try (Statement statement = session.connection().createStatement();
        ResultSet rows = statement.executeQuery(find)) {
      return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
    }
  }

  private static void check(Session session, String schema, BtreeIndex index, Findings findings)
      throws SQLException {
    Connection connection = session.connection();
    session.mark();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT %s.bt_index_check(?::oid::regclass, true)".formatted(schema))) {
      statement.setLong(1, index.oid);
      statement.execute();
    } catch (SQLException e) {
      if (!session.isUsable()) {
        throw e;
      }
      session.undoToMark();
      findings.error(FindingCode.INDEX_WRONG, index.name, String.valueOf(e.getMessage()), REINDEX);
    }
  }

  private static String text(Session session, String sql) throws SQLException {
    try (Statement statement = session.connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
