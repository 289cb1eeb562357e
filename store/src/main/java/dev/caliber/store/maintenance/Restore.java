package dev.caliber.store.maintenance;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.BinaryColumn;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreException;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.JdbcRecordStore;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.PreparedTable;
import dev.caliber.store.jdbc.sql.RegisteredTable;
import dev.caliber.store.jdbc.sql.RowWriter;
import dev.caliber.store.jdbc.sql.SpaceHead;
import dev.caliber.store.jdbc.sql.SpaceRow;
import dev.caliber.store.jdbc.sql.StoreFormatV1;
import dev.caliber.store.jdbc.sql.StoredBody;
import dev.caliber.store.jdbc.sql.StoredRow;
import dev.caliber.store.jdbc.sql.TableSql;
import dev.caliber.store.jdbc.sqlite.SqliteFile;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Restore of an empty store from a backup in one transaction, which checks each row. */
final class Restore {

  private static final String PHASE = "restore";

  private final JdbcRecordStore store;
  private final ProgressListener progressListener;

  Restore(JdbcRecordStore store, ProgressListener progressListener) {
    this.store = store;
    this.progressListener = progressListener;
  }

  RestoreReport restore(Path file) {
    try (DatabaseSession source = SqliteFile.open(file)) {
      Set<SpaceId> spaces = new TreeSet<>();
      RestoreReport report =
          store.writeExclusively(
              target -> new RestoreTransaction(source, target, file.toString()).run(spaces));
      store.notifyReplaced(spaces, List.of());
      return report;
    } catch (SQLException e) {
      throw StoreException.engineFailed("Closing the backup", e);
    }
  }

  /** The restore's single transaction on the target, reading from the file. */
  private final class RestoreTransaction {

    private final DatabaseSession source;
    private final DatabaseSession target;
    private final String file;
    private final List<RegisteredTable> tables;
    private final Map<String, SpaceRow> spaces = new HashMap<>();
    private long restored;
    private long total;

    RestoreTransaction(DatabaseSession source, DatabaseSession target, String file) {
      this.source = source;
      this.target = target;
      this.file = file;
      try {
        this.tables = RegisteredTable.readAll(source);
        for (SpaceRow space : SpaceRow.readAll(source)) {
          spaces.put(space.name(), space);
        }
        for (RegisteredTable table : tables) {
          total += table.count(source);
        }
      } catch (SQLException e) {
        throw unreadable(e);
      }
    }

    RestoreReport run(Set<SpaceId> touched) throws SQLException {
      requireEmpty();
      List<PreparedTable<?>> known = new ArrayList<>();
      for (RegisteredTable table : tables) {
        if (requireKnown(table)) {
          known.add(store.declaredTables().find(table.name()).orElseThrow());
        }
      }
      putSpaces(touched);
      for (PreparedTable<?> runtime : known) {
        restoreTable(runtime);
      }
      return new RestoreReport(spaces.size(), restored);
    }

    private void requireEmpty() throws SQLException {
      for (RegisteredTable table : RegisteredTable.readAll(target)) {
        long rows = table.count(target);
        if (rows > 0) {
          throw StoreException.notEmpty(store.engine().location(), table.name(), rows);
        }
      }
    }

    /**
     * Returns whether the table is declared here. One that is not may be in the file only while it
     * is empty.
     */
    private boolean requireKnown(RegisteredTable table) {
      PreparedTable<?> runtime = store.declaredTables().find(table.name()).orElse(null);
      if (runtime == null) {
        if (count(table) > 0) {
          throw StoreException.unreadable(
              file,
              "the backup holds records of table '%s', which this version does not know"
                  .formatted(table.name()));
        }
        return false;
      }
      if (table.schema() > runtime.table().schema()) {
        throw StoreException.tooNew(
            file,
            "the schema of table '%s'".formatted(table.name()),
            table.schema(),
            runtime.table().schema());
      }
      return true;
    }

    private long count(RegisteredTable table) {
      try {
        return table.count(source);
      } catch (SQLException e) {
        throw unreadable(e);
      }
    }

    /* The host id and its count of commits remain those of this store. */
    private void putSpaces(Set<SpaceId> touched) throws SQLException {
      Map<String, SpaceRow> here = new HashMap<>();
      for (SpaceRow space : SpaceRow.readAll(target)) {
        here.put(space.name(), space);
      }
      long epoch = 1 + LongStream.concat(epochs(here), epochs(spaces)).max().orElse(0);
      target.execute("DELETE FROM " + StoreFormatV1.FEED);
      target.execute("DELETE FROM " + StoreFormatV1.FOLLOWERS);
      Map<String, SpaceRow> all = new HashMap<>(here);
      all.putAll(spaces);
      for (SpaceRow space : all.values()) {
        SpaceRow before = here.get(space.name());
        long counter = before == null ? 0 : before.head().hostCounter();
        SpaceHead head = new SpaceHead(epoch, space.head().sequence(), counter);
        new SpaceRow(space.name(), head, space.createdAt()).put(target);
        touched.add(new SpaceId(space.name()));
      }
    }

    private static LongStream epochs(Map<String, SpaceRow> rows) {
      return rows.values().stream().mapToLong(space -> space.head().epoch());
    }

    private <T> void restoreTable(PreparedTable<T> runtime) throws SQLException {
      Table<T> table = runtime.table();
      RegisteredTable registered =
          tables.stream().filter(t -> t.name().equals(table.name())).findFirst().orElseThrow();
      // A binary that was declared after the backup was made is in no row and in no checksum.
      List<BinaryColumn<T>> binaries =
          table.binaries().stream()
              .filter(binaryColumn -> registered.columns().containsKey(binaryColumn.name()))
              .toList();
      String columns =
          Stream.concat(
                  Stream.of("space", "key", "revision", "schema", "crc", "body"),
                  binaries.stream().map(BinaryColumn::name))
              .map(TableSql::quote)
              .collect(Collectors.joining(", "));
      RowWriter<T> writer = new RowWriter<>(target, runtime);
      String select =
          "SELECT %s FROM %s ORDER BY \"space\", \"key\""
              .formatted(columns, TableSql.quote(table.name()));
      try (BackupRows rows = new BackupRows(select, binaries.size())) {
        for (StoredRow row = rows.next(); row != null; row = rows.next()) {
          restoreRow(runtime, writer, row, binaries);
          progressListener.onProgress(PHASE, ++restored, total);
        }
      }
    }

    private <T> void restoreRow(
        PreparedTable<T> runtime,
        RowWriter<T> writer,
        StoredRow row,
        List<BinaryColumn<T>> binaries)
        throws SQLException {
      Table<T> table = runtime.table();
      SpaceRow space = spaces.get(row.space());
      if (target.checksum().compute(row.space(), row.key(), row.body(), binaries) != row.crc()) {
        throw damaged(table, row, "does not match its checksum");
      }
      if (space == null || row.body().revision() > space.head().sequence()) {
        throw damaged(table, row, "has a revision beyond the last commit of its space");
      }
      StoredBody body = withDeclaredBinaries(table, row.body(), binaries);
      T record = decodeRow(runtime, row, body);
      if (!table.keyOf(record).equals(row.key())) {
        throw damaged(table, row, "has a body with another key");
      }
      if (!writer.insert(row.space(), row.key(), body, record)) {
        throw damaged(
            table, row, "repeats values that another record already has in a unique index");
      }
    }

    private <T> T decodeRow(PreparedTable<T> runtime, StoredRow row, StoredBody body) {
      try {
        return runtime.codec().decode(body);
      } catch (RuntimeException e) { // a record's own code may throw any exception
        throw damaged(runtime.table(), row, "cannot be read as its record: " + e.getMessage());
      }
    }

    /** Returns the body with a slot for every binary that is declared now. */
    private static <T> StoredBody withDeclaredBinaries(
        Table<T> table, StoredBody body, List<BinaryColumn<T>> present) {
      if (present.size() == table.binaries().size()) {
        return body;
      }
      List<byte @Nullable []> all = new ArrayList<>();
      for (BinaryColumn<T> binaryColumn : table.binaries()) {
        int at = present.indexOf(binaryColumn);
        all.add(at < 0 ? null : body.binaries().get(at));
      }
      return new StoredBody(body.revision(), body.schema(), body.json(), all);
    }

    private StoreException damaged(Table<?> table, StoredRow row, String what) {
      return StoreException.corrupt(
          "%s: the %s '%s' in space '%s' %s; nothing was restored"
              .formatted(file, table.name(), row.key(), row.space(), what));
    }

    private StoreException unreadable(SQLException e) {
      return source.dialect().translate("Reading the backup", e);
    }

    /**
     * Rows of the backup file. Failures here are reported as failures of the file, not of the
     * store.
     */
    private final class BackupRows implements AutoCloseable {

      private final PreparedStatement statement;
      private final ResultSet rows;
      private final int binaries;

      BackupRows(String select, int binaries) {
        this.binaries = binaries;
        try {
          statement = source.connection().prepareStatement(select);
          rows = statement.executeQuery();
        } catch (SQLException e) {
          throw unreadable(e);
        }
      }

      @Nullable StoredRow next() {
        try {
          return rows.next() ? row() : null;
        } catch (SQLException e) {
          throw unreadable(e);
        }
      }

      private StoredRow row() throws SQLException {
        int position = 1;
        String space = rows.getString(position++);
        String key = rows.getString(position++);
        long revision = rows.getLong(position++);
        int schema = rows.getInt(position++);
        long crc = rows.getLong(position++);
        byte[] json = rows.getBytes(position++);
        List<byte @Nullable []> bytes = new ArrayList<>();
        for (int i = 0; i < binaries; i++) {
          bytes.add(rows.getBytes(position++));
        }
        return new StoredRow(space, key, new StoredBody(revision, schema, json, bytes), crc);
      }

      @Override
      public void close() {
        try (statement) {
          rows.close();
        } catch (SQLException e) {
          throw unreadable(e);
        }
      }
    }
  }
}
