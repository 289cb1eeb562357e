package dev.caliber.store.maintenance;

import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.JdbcRecordStore;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.RegisteredTable;
import dev.caliber.store.jdbc.sql.RowScanner;
import dev.caliber.store.jdbc.sql.StoredRow;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writer of an export in {@link ExportFormatV1}: one state of the records, each row's checksum
 * verified.
 */
final class Export {

  private static final String PHASE = "export";

  private final JdbcRecordStore store;
  private final Optional<SpaceId> space;
  private final Set<String> without;
  private final ProgressListener progressListener;
  private final MessageDigest digest = FieldHash.sha256();
  private long records;

  Export(
      JdbcRecordStore store,
      Optional<SpaceId> space,
      Set<SpaceId> without,
      ProgressListener progressListener) {
    this.store = store;
    this.space = space;
    this.without = without.stream().map(SpaceId::value).collect(Collectors.toSet());
    this.progressListener = progressListener;
  }

  ExportReport write(OutputStream out) {
    if (space.isPresent() && !store.spaces().contains(space.get())) {
      throw StoreException.unknownSpace(space.get());
    }
    return store.readAllSpaces(databaseSession -> write(databaseSession, out));
  }

  private ExportReport write(DatabaseSession databaseSession, OutputStream out)
      throws SQLException {
    writeLine(out, ExportFormatV1.header(store.host(), store.clock().instant(), space));
    List<String> leftOut = new ArrayList<>();
    long total = 0;
    for (RegisteredTable table : RegisteredTable.readAll(databaseSession)) {
      long rows = table.count(databaseSession);
      total += rows;
      if (rows > 0 && store.declaredTables().find(table.name()).isEmpty()) {
        leftOut.add(table.name());
      }
    }
    long expected = space.isPresent() || !without.isEmpty() ? -1 : total;
    for (PreparedTable<?> runtime : exportedTables()) {
      new RowScanner(databaseSession)
          .forEachRow(
              runtime,
              space,
              (row, _) -> {
                if (!without.contains(row.space())) {
                  requireUndamaged(databaseSession, runtime.table(), row);
                  writeLine(out, ExportFormatV1.record(runtime.table(), row));
                  progressListener.onProgress(PHASE, ++records, expected);
                }
              });
    }
    String sha256 = FieldHash.hex(digest.digest());
    writeLine(out, ExportFormatV1.footer(records, sha256));
    flush(out);
    return new ExportReport(records, sha256, leftOut);
  }

  private List<PreparedTable<?>> exportedTables() {
    return store.declaredTables().all().stream()
        .filter(runtime -> !runtime.table().isExcludedFromExport())
        .toList();
  }

  private static void requireUndamaged(
      DatabaseSession databaseSession, Table<?> table, StoredRow row) {
    if (databaseSession.checksum().compute(row.space(), row.key(), row.body(), table.binaries())
        != row.crc()) {
      throw StoreException.corrupt(
          "The %s '%s' in space '%s' does not match its checksum"
              .formatted(table.name(), row.key(), row.space()));
    }
  }

  private void writeLine(OutputStream out, byte[] line) {
    digest.update(line);
    try {
      out.write(line);
    } catch (IOException e) {
      throw StoreException.fileFailed("Writing", "the export", e);
    }
  }

  private static void flush(OutputStream out) {
    try {
      out.flush();
    } catch (IOException e) {
      throw StoreException.fileFailed("Writing", "the export", e);
    }
  }
}
