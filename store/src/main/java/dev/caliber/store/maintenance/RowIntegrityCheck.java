package dev.caliber.store.maintenance;

import dev.caliber.store.Column;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.RowBinder;
import dev.caliber.store.jdbc.sql.RowScanner;
import dev.caliber.store.jdbc.sql.SpaceHead;
import dev.caliber.store.jdbc.sql.SpaceRow;
import dev.caliber.store.jdbc.sql.StoredRow;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Check of every row of a table: its checksum, its body, and its columns against the body. */
final class RowIntegrityCheck<T> implements StoreCheck.CheckTask {

  private static final String RESTORE =
      "Restore the last backup, or import this record from an export.";
  private static final String REWRITE =
      "Write the record again: a write computes its columns from its body.";

  private final PreparedTable<T> runtime;
  private final AtomicLong records;

  RowIntegrityCheck(PreparedTable<T> runtime, AtomicLong records) {
    this.runtime = runtime;
    this.records = records;
  }

  @Override
  public void run(DatabaseSession databaseSession, DoctorFindingCollector doctorFindingCollector)
      throws SQLException {
    Map<String, SpaceHead> heads = new HashMap<>();
    for (SpaceRow space : SpaceRow.readAll(databaseSession)) {
      heads.put(space.name(), space.head());
    }
    new RowScanner(databaseSession)
        .forEachRow(
            runtime,
            (row, columns) -> {
              records.incrementAndGet();
              if (databaseSession
                      .checksum()
                      .compute(row.space(), row.key(), row.body(), runtime.table().binaries())
                  != row.crc()) {
                doctorFindingCollector.error(
                    DoctorFindingCode.ROW_DAMAGED,
                    location(row),
                    "the record does not match its checksum",
                    RESTORE);
              } else {
                checkRevision(row, heads.get(row.space()), doctorFindingCollector);
                checkContent(row, columns, doctorFindingCollector);
              }
            });
  }

  private void checkRevision(
      StoredRow row, @Nullable SpaceHead head, DoctorFindingCollector doctorFindingCollector) {
    if (head == null || row.body().revision() > head.sequence()) {
      doctorFindingCollector.error(
          DoctorFindingCode.REVISION_UNKNOWN,
          location(row),
          "the record has revision %d, but the last commit of its space is %s"
              .formatted(row.body().revision(), head == null ? "none" : head.sequence()),
          "Restore the last backup: the stored number of the last commit of the space is wrong.");
    }
  }

  private void checkContent(
      StoredRow row,
      List<@Nullable Object> columns,
      DoctorFindingCollector doctorFindingCollector) {
    T record;
    try {
      record = runtime.codec().decode(row.body());
    } catch (RuntimeException e) { // a record's own code may throw any exception
      doctorFindingCollector.error(
          DoctorFindingCode.BODY_UNREADABLE,
          location(row),
          String.valueOf(e.getMessage()),
          RESTORE);
      return;
    }
    try {
      compare(row, record, columns, doctorFindingCollector);
    } catch (RuntimeException e) {
      doctorFindingCollector.error(
          DoctorFindingCode.COLUMN_MISMATCH,
          location(row),
          String.valueOf(e.getMessage()),
          REWRITE);
    }
  }

  private void compare(
      StoredRow row,
      T record,
      List<@Nullable Object> columns,
      DoctorFindingCollector doctorFindingCollector) {
    Table<T> table = runtime.table();
    if (!table.keyOf(record).equals(row.key())) {
      doctorFindingCollector.error(
          DoctorFindingCode.COLUMN_MISMATCH,
          location(row),
          "the body of the record has another key than the row",
          RESTORE);
    }
    for (int i = 0; i < columns.size(); i++) {
      Column<T> column = table.columns().get(i);
      if (!isSameValue(RowBinder.columnValue(table, column, record), columns.get(i))) {
        doctorFindingCollector.error(
            DoctorFindingCode.COLUMN_MISMATCH,
            location(row),
            "column '%s' differs from the body of the record".formatted(column.name()),
            REWRITE);
      }
    }
  }

  /** Compares values; SQLite stores negative zero as zero. */
  private static boolean isSameValue(@Nullable Object said, @Nullable Object stored) {
    if (said instanceof Double a && stored instanceof Double b) {
      return a.doubleValue() == b.doubleValue();
    }
    return Objects.equals(said, stored);
  }

  private String location(StoredRow row) {
    return "%s/%s/%s".formatted(row.space(), runtime.table().name(), row.key());
  }
}
