package dev.caliber.store.maintenance;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.jdbc.JdbcRecordStore;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseTask;
import dev.caliber.store.jdbc.sql.Engine;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Maintenance over JDBC; each task is a class of its own. */
final class JdbcMaintenance implements Maintenance {

  private final JdbcRecordStore store;

  JdbcMaintenance(JdbcRecordStore store) {
    this.store = store;
  }

  @Override
  public BackupReport backup(Path file, ProgressListener progressListener) {
    return new Backup(store, progressListener).write(file.toAbsolutePath().normalize());
  }

  @Override
  public RestoreReport restore(Path file, ProgressListener progressListener) {
    return new Restore(store, progressListener).restore(file.toAbsolutePath().normalize());
  }

  @Override
  public ExportReport export(
      OutputStream out,
      Optional<SpaceId> space,
      Set<SpaceId> without,
      ProgressListener progressListener) {
    return new Export(store, space, without, progressListener).write(out);
  }

  @Override
  public ImportReport importFrom(Path file, ImportRules rules, ProgressListener progressListener) {
    return new Import(store, file, rules, progressListener).run();
  }

  @Override
  public CompactReport compact(ProgressListener progressListener) {
    Engine engine = store.engine();
    List<CompactReport> done = new ArrayList<>(1);
    DatabaseTask task =
        databaseSession -> {
          long before = engine.sizeInBytes(databaseSession);
          engine.compact(databaseSession, progressListener);
          done.add(new CompactReport(before, engine.sizeInBytes(databaseSession)));
        };
    if (engine.writesOnOneSession()) {
      store.runBetweenWrites(task);
    } else {
      store.runInSession(DatabaseRole.OWNER, task);
    }
    return done.getFirst();
  }

  @Override
  public DoctorReport examine(ProgressListener progressListener) {
    return new Doctor(store, progressListener).examine();
  }
}
