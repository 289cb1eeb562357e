package dev.caliber.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** Every declared index is there. */
final class IndexNamesCheck implements Check.Work {

  private final Catalogue catalogue;

  IndexNamesCheck(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  @Override
  public void run(Session session, Findings findings) throws SQLException {
    Set<String> present = new HashSet<>();
    try (ResultSet rows = session.statement(session.dialect().indexNames()).executeQuery()) {
      while (rows.next()) {
        present.add(rows.getString(1));
      }
    }
    for (TableRuntime<?> runtime : catalogue.all()) {
      Table<?> table = runtime.table();
      require(TableSql.keyIndex(table.name()), table, present, findings);
      for (Index index : table.indexes()) {
        require(index.name(), table, present, findings);
      }
    }
  }

  private static void require(
      String index, Table<?> table, Set<String> present, Findings findings) {
    if (!present.contains(index)) {
      boolean key = index.equals(TableSql.keyIndex(table.name()));
      findings.error(
          FindingCode.INDEX_MISSING,
          table.name(),
          "index '%s' is not there".formatted(index),
          key
              ? "Back up, and restore the backup into a new store."
              : "Close the store and open it again: that makes missing indexes.");
    }
  }
}
