package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** What an operator does with a whole store: back up, restore, export, import, examine. */
public interface Maintenance {

  /** Maintenance of a store that {@link RecordStore#open} has returned. */
  static Maintenance of(RecordStore store) {
    if (store instanceof JdbcRecordStore jdbc) {
      return new JdbcMaintenance(jdbc);
    }
    throw new IllegalArgumentException("Not a store of this package: " + store.getClass());
  }

  /**
   * Writes one state of the whole store into a new file while writers go on. The file is a SQLite
   * store, whatever the engine, so that a store can move between engines.
   */
  BackupReport backup(Path file, Progress progress);

  /**
   * Fills this store, which must hold no records, from a backup, all or nothing. Sequences and
   * revisions stay; every space begins a new epoch without a feed, so that followers rebuild.
   */
  RestoreReport restore(Path file, Progress progress);

  /**
   * Writes one state of all records, or of one space's, as lines of JSON; {@code ExportFormatV1}
   * describes them. The stream is flushed and left open.
   */
  default ExportReport export(OutputStream out, Optional<SpaceId> space, Progress progress) {
    return export(out, space, Set.of(), progress);
  }

  /** The same without some spaces, which are then no part of it, as if they were empty. */
  ExportReport export(
      OutputStream out, Optional<SpaceId> space, Set<SpaceId> without, Progress progress);

  /**
   * Reads an export: checks all of it first, then applies it in one transaction. Each space that is
   * touched begins a new epoch, so that followers rebuild.
   */
  default ImportReport importFrom(Path file, ImportMode mode, Progress progress) {
    return importFrom(file, ImportRules.of(mode), progress);
  }

  /**
   * Refuses records of the server's own space and leaves out records that make a server act, unless
   * the rules name them. Secrets are always refused.
   */
  ImportReport importFrom(Path file, ImportRules rules, Progress progress);

  /**
   * Gives the room that deleted records took back to the file system. SQLite: writes wait until the
   * file is rewritten. PostgreSQL: each table is rewritten under a lock that keeps every reader and
   * writer of it out.
   */
  CompactReport compact(Progress progress);

  /** Looks for damage and unsafe settings, and goes on after it has found some. */
  DoctorReport examine(Progress progress);
}
