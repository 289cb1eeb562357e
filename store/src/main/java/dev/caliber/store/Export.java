package dev.caliber.store;

import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.SpaceId;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes one state of the records as {@link ExportFormatV1} says, checking each row's checksum. */
final class Export {

  private static final String PHASE = "export";

  private final JdbcRecordStore store;
  private final Optional<SpaceId> space;
  private final Set<String> without;
  private final Progress progress;
  private final MessageDigest digest = Hashing.sha256();
  private long records;

  Export(JdbcRecordStore store, Optional<SpaceId> space, Set<SpaceId> without, Progress progress) {
    this.store = store;
    this.space = space;
    this.without = without.stream().map(SpaceId::value).collect(Collectors.toSet());
    this.progress = progress;
  }

  ExportReport write(OutputStream out) {
    if (space.isPresent() && !store.spaces().contains(space.get())) {
      throw StoreException.unknownSpace(space.get());
    }
    return store.survey(session -> write(session, out));
  }

  private ExportReport write(Session session, OutputStream out) throws SQLException {
    send(out, ExportFormatV1.header(store.host(), store.clock().instant(), space));
    List<String> leftOut = new ArrayList<>();
    long total = 0;
    for (RegisteredTable table : RegisteredTable.all(session)) {
      long rows = table.count(session);
      total += rows;
      if (rows > 0 && store.catalogue().named(table.name()).isEmpty()) {
        leftOut.add(table.name());
      }
    }
    long expected = space.isPresent() || !without.isEmpty() ? -1 : total;
    for (TableRuntime<?> runtime : exported()) {
      new RowWalk(session)
          .each(
              runtime,
              space,
              (row, _) -> {
                if (!without.contains(row.space())) {
                  requireUndamaged(session, runtime.table(), row);
                  send(out, ExportFormatV1.record(runtime.table(), row));
                  progress.at(PHASE, ++records, expected);
                }
              });
    }
    String sha256 = Hashing.hex(digest.digest());
    send(out, ExportFormatV1.footer(records, sha256));
    flush(out);
    return new ExportReport(records, sha256, leftOut);
  }

  private List<TableRuntime<?>> exported() {
    return store.catalogue().all().stream().filter(runtime -> !runtime.table().isSecret()).toList();
  }

  private static void requireUndamaged(Session session, Table<?> table, StoredRow row) {
    if (session.checksum().of(row.space(), row.key(), row.body(), table.binaries()) != row.crc()) {
      throw StoreException.corrupt(
          "The %s '%s' in space '%s' does not match its checksum"
              .formatted(table.name(), row.key(), row.space()));
    }
  }

  private void send(OutputStream out, byte[] line) {
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
