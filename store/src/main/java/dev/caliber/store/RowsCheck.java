package dev.caliber.store;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Every row of a table: its checksum, its body, and its columns against the body. */
final class RowsCheck<T> implements Check.Work {

  private static final String RESTORE = "Restore the record from a backup or an export.";
  private static final String REWRITE = "Write the record again; that computes its columns anew.";

  private final TableRuntime<T> runtime;
  private final AtomicLong records;

  RowsCheck(TableRuntime<T> runtime, AtomicLong records) {
    this.runtime = runtime;
    this.records = records;
  }

  @Override
  public void run(Session session, Findings findings) throws SQLException {
    Map<String, SpaceHead> heads = new HashMap<>();
    for (SpaceRow space : SpaceRow.all(session)) {
      heads.put(space.name(), space.head());
    }
    new RowWalk(session)
        .each(
            runtime,
            (row, columns) -> {
              records.incrementAndGet();
              if (session
                      .checksum()
                      .of(row.space(), row.key(), row.body(), runtime.table().binaries())
                  != row.crc()) {
                findings.error(
                    FindingCode.ROW_DAMAGED, where(row), "does not match its checksum", RESTORE);
              } else {
                checkRevision(row, heads.get(row.space()), findings);
                checkContent(row, columns, findings);
              }
            });
  }

  private void checkRevision(StoredRow row, @Nullable SpaceHead head, Findings findings) {
    if (head == null || row.body().revision() > head.sequence()) {
      findings.error(
          FindingCode.REVISION_UNKNOWN,
          where(row),
          "has revision %d, the last commit is %s"
              .formatted(row.body().revision(), head == null ? "none" : head.sequence()),
          "Restore the last backup: the space's head was changed.");
    }
  }

  private void checkContent(StoredRow row, List<@Nullable Object> columns, Findings findings) {
    T record;
    try {
      record = runtime.codec().decode(row.body());
    } catch (RuntimeException e) { // a record's own code may refuse in its own way
      findings.error(
          FindingCode.BODY_UNREADABLE, where(row), String.valueOf(e.getMessage()), RESTORE);
      return;
    }
    try {
      compare(row, record, columns, findings);
    } catch (RuntimeException e) {
      findings.error(FindingCode.COLUMN_WRONG, where(row), String.valueOf(e.getMessage()), REWRITE);
    }
  }

  private void compare(StoredRow row, T record, List<@Nullable Object> columns, Findings findings) {
    Table<T> table = runtime.table();
    if (!table.keyOf(record).equals(row.key())) {
      findings.error(FindingCode.COLUMN_WRONG, where(row), "the body has another key", RESTORE);
    }
    for (int i = 0; i < columns.size(); i++) {
      Column<T> column = table.columns().get(i);
      if (!same(RowBinder.columnValue(table, column, record), columns.get(i))) {
        findings.error(
            FindingCode.COLUMN_WRONG,
            where(row),
            "column '%s' differs from what the body says".formatted(column.name()),
            REWRITE);
      }
    }
  }

  /** Negative zero is zero to SQLite. */
  private static boolean same(@Nullable Object said, @Nullable Object stored) {
    if (said instanceof Double a && stored instanceof Double b) {
      return a.doubleValue() == b.doubleValue();
    }
    return Objects.equals(said, stored);
  }

  private String where(StoredRow row) {
    return "%s/%s/%s".formatted(row.space(), runtime.table().name(), row.key());
  }
}
