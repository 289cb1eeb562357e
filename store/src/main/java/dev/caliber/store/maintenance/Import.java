package dev.caliber.store.maintenance;

import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.Timestamps;
import dev.caliber.store.Commit;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.StoreException;
import dev.caliber.store.TableIndex;
import dev.caliber.store.jdbc.JdbcRecordStore;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.FeedSql;
import dev.caliber.store.jdbc.sql.RowWriter;
import dev.caliber.store.jdbc.sql.SpaceHead;
import dev.caliber.store.jdbc.sql.SpaceRow;
import dev.caliber.store.jdbc.sql.StoredBody;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Import that checks all of an export, then applies it in one transaction that excludes other
 * writers. In each space it is recorded as one commit without changes, whose sequence all its rows
 * carry.
 */
final class Import {

  private final JdbcRecordStore store;
  private final Path path;
  private final ImportFile file;
  private final ImportMode mode;
  private final ImportFilter admission;
  private final ProgressListener progressListener;

  Import(JdbcRecordStore store, Path path, ImportRules rules, ProgressListener progressListener) {
    this.store = store;
    this.path = path;
    this.file = new ImportFile(path, store.declaredTables(), store.config().writes());
    this.mode = rules.mode();
    this.admission = new ImportFilter(path.toString(), rules.include(), store.declaredTables());
    this.progressListener = progressListener;
  }

  ImportReport run() {
    String sha256 = checkFile();
    List<Commit> commits = new ArrayList<>();
    ImportReport report =
        store.writeExclusively(
            databaseSession -> new ImportTransaction(databaseSession).run(sha256, commits));
    store.notifyReplaced(report.spaces(), commits);
    return report;
  }

  private String checkFile() {
    try {
      return file.read("check", progressListener, admission::requireAllowed);
    } catch (SQLException e) {
      throw StoreException.engineFailed("Checking an import", e);
    }
  }

  /** The import's single transaction. */
  private final class ImportTransaction {

    private final DatabaseSession databaseSession;
    private final Instant now = Timestamps.truncate(store.clock().instant());
    private final Map<String, SpaceRow> spaces = new HashMap<>();
    private final Map<SpaceId, SpaceHead> touched = new TreeMap<>();
    private long created;
    private long replaced;
    private long skipped;

    ImportTransaction(DatabaseSession databaseSession) {
      this.databaseSession = databaseSession;
    }

    ImportReport run(String checked, List<Commit> commits) throws SQLException {
      for (SpaceRow space : SpaceRow.readAll(databaseSession)) {
        spaces.put(space.name(), space);
      }
      String sha256 = file.read("import", progressListener, this::applyLine);
      if (!sha256.equals(checked)) {
        throw StoreException.importRefused(
            path.toString(),
            "the file was changed while it was read",
            "Import the file again, while no program writes it.");
      }
      for (Map.Entry<SpaceId, SpaceHead> entry : touched.entrySet()) {
        SpaceHead head = entry.getValue();
        SpaceId space = entry.getKey();
        spaceRow(space, head).put(databaseSession);
        commits.add(
            new Commit(space, head.sequence(), store.host(), head.hostCounter(), now, List.of()));
      }
      FeedSql.append(databaseSession, commits);
      return new ImportReport(
          created,
          replaced,
          skipped,
          new java.util.TreeSet<>(touched.keySet()),
          admission.includedCounts(),
          admission.omittedCounts());
    }

    private SpaceRow spaceRow(SpaceId space, SpaceHead head) {
      SpaceRow before = spaces.get(space.value());
      return new SpaceRow(space.value(), head, before == null ? now : before.createdAt());
    }

    /** Returns the space's head as it will be after this transaction. */
    private SpaceHead nextHead(SpaceId space) {
      SpaceRow before = spaces.get(space.value());
      SpaceHead head = before == null ? new SpaceHead(0, 0, 0) : before.head();
      return new SpaceHead(head.epoch() + 1, head.sequence() + 1, head.hostCounter() + 1);
    }

    private <T> void applyLine(String place, ImportLine<T> line) throws SQLException {
      if (!admission.accepts(line)) {
        return;
      }
      RowWriter<T> writer = new RowWriter<>(databaseSession, line.runtime());
      SpaceHead next = nextHead(line.space());
      String space = line.space().value();
      Optional<Long> revision = writer.revision(space, line.key());
      if (revision.isPresent()) {
        requireNoDuplicateLine(place, line, revision.get(), next);
        if (mode == ImportMode.SKIP) {
          skipped++;
          return;
        }
        replace(place, writer, line, next);
        replaced++;
      } else {
        insert(place, writer, line, next);
        created++;
      }
      touched.put(line.space(), next);
    }

    /**
     * Refuses a key that an earlier line has written: its row carries the import's own revision.
     */
    private void requireNoDuplicateLine(
        String place, ImportLine<?> line, long found, SpaceHead next) {
      if (found == next.sequence()) {
        throw StoreException.importRefused(
            place,
            "%s is twice in this file".formatted(lineLabel(line)),
            "Remove one of the lines and export again.");
      }
      if (mode == ImportMode.FAIL) {
        throw StoreException.importRefused(
            place,
            "%s already exists in the store".formatted(lineLabel(line)),
            "Import with the option to skip or to replace existing records.");
      }
    }

    private <T> void insert(String place, RowWriter<T> writer, ImportLine<T> line, SpaceHead next)
        throws SQLException {
      String space = line.space().value();
      StoredBody body = line.bodyAt(next.sequence());
      if (!writer.insert(space, line.key(), body, line.record())) {
        String index = writer.violatedIndex(space, line.record()).map(TableIndex::name).orElse("");
        throw notUnique(place, line, index);
      }
    }

    private <T> void replace(String place, RowWriter<T> writer, ImportLine<T> line, SpaceHead next)
        throws SQLException {
      try {
        writer.update(
            line.space().value(), line.key(), line.bodyAt(next.sequence()), line.record());
      } catch (SQLException e) {
        StoreException reason = databaseSession.dialect().translate("Replacing a record", e);
        throw reason.code() == StoreErrorCode.INDEX_ERROR ? notUnique(place, line, "") : reason;
      }
    }

    private static StoreException notUnique(String place, ImportLine<?> line, String index) {
      return StoreException.importRefused(
          place,
          "%s repeats values that another record already has in a unique index%s"
              .formatted(lineLabel(line), index.isEmpty() ? "" : " '" + index + "'"),
          "Remove the line or the record that has these values.");
    }

    private static String lineLabel(ImportLine<?> line) {
      return "the %s '%s' of space '%s'"
          .formatted(line.runtime().table().name(), line.key(), line.space().value());
    }
  }
}
