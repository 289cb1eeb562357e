package dev.caliber.store.maintenance;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.jdbc.JdbcRecordStore;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Operator tasks on a whole store: back up, restore, export, import, examine. */
public interface Maintenance {

  /** Returns the maintenance of a store that {@code Stores.open} has returned. */
  static Maintenance of(RecordStore store) {
    if (store instanceof JdbcRecordStore jdbc) {
      return new JdbcMaintenance(jdbc);
    }
    throw new IllegalArgumentException("Not a store of this package: " + store.getClass());
  }

  /**
   * Writes one state of the whole store into a new file while writers continue. The file is a
   * SQLite store, whatever the engine, so that a store can move between engines.
   */
  BackupReport backup(Path file, ProgressListener progressListener);

  /**
   * Fills this store, which must hold no records, from a backup, all or nothing. Sequences and
   * revisions are kept; every space begins a new epoch without a feed, so that followers rebuild.
   */
  RestoreReport restore(Path file, ProgressListener progressListener);

  /**
   * Writes one state of all records, or of one space's, as lines of JSON; {@code ExportFormatV1}
   * describes them. The stream is flushed and left open.
   */
  default ExportReport export(
      OutputStream out, Optional<SpaceId> space, ProgressListener progressListener) {
    return export(out, space, Set.of(), progressListener);
  }

  /**
   * Writes one state of all records, or of one space's, without the spaces in {@code without},
   * which are treated as empty.
   */
  ExportReport export(
      OutputStream out,
      Optional<SpaceId> space,
      Set<SpaceId> without,
      ProgressListener progressListener);

  /**
   * Imports an export: checks all of it first, then applies it in one transaction. Each space that
   * is written to begins a new epoch, so that followers rebuild.
   */
  default ImportReport importFrom(Path file, ImportMode mode, ProgressListener progressListener) {
    return importFrom(file, ImportRules.of(mode), progressListener);
  }

  /**
   * Imports an export by these rules: records of the server's own space are refused, and records
   * that make a server act are left out, unless the rules name them. Secrets are always refused.
   */
  ImportReport importFrom(Path file, ImportRules rules, ProgressListener progressListener);

  /**
   * Returns the space that deleted records occupied to the file system. SQLite: writes wait until
   * the file is rewritten. PostgreSQL: each table is rewritten under a lock that blocks all its
   * readers and writers.
   */
  CompactReport compact(ProgressListener progressListener);

  /** Looks for damage and unsafe settings. A finding does not stop the examination. */
  DoctorReport examine(ProgressListener progressListener);
}
