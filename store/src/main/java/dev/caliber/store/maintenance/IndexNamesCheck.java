package dev.caliber.store.maintenance;

import dev.caliber.store.Table;
import dev.caliber.store.TableIndex;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.TableSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** Check that every declared index exists. */
final class IndexNamesCheck implements StoreCheck.CheckTask {

  private final DeclaredTables declaredTables;

  IndexNamesCheck(DeclaredTables declaredTables) {
    this.declaredTables = declaredTables;
  }

  @Override
  public void run(DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    Set<String> present = new HashSet<>();
    try (ResultSet rows =
        databaseSession.statement(databaseSession.dialect().indexNamesQuery()).executeQuery()) {
      while (rows.next()) {
        present.add(rows.getString(1));
      }
    }
    for (PreparedTable<?> runtime : declaredTables.all()) {
      Table<?> table = runtime.table();
      require(TableSql.keyIndex(table.name()), table, present, doctorFindingCollector);
      for (TableIndex tableIndex : table.indexes()) {
        require(tableIndex.name(), table, present, doctorFindingCollector);
      }
    }
  }

  private static void require(
      String index,
      Table<?> table,
      Set<String> present,
      DoctorFindingCollector doctorFindingCollector) {
    if (!present.contains(index)) {
      boolean key = index.equals(TableSql.keyIndex(table.name()));
      doctorFindingCollector.error(
          DoctorFindingCode.INDEX_MISSING,
          table.name(),
          "index '%s' is missing".formatted(index),
          key
              ? "Make a backup, then restore it into a new store."
              : "Close the store and open it again: opening creates missing indexes.");
    }
  }
}
