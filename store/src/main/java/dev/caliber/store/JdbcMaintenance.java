package dev.caliber.store;

import dev.caliber.kernel.SpaceId;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Maintenance over JDBC: each task is a class of its own. */
final class JdbcMaintenance implements Maintenance {

  private final JdbcRecordStore store;

  JdbcMaintenance(JdbcRecordStore store) {
    this.store = store;
  }

  @Override
  public BackupReport backup(Path file, Progress progress) {
    return new Backup(store, progress).write(file.toAbsolutePath().normalize());
  }

  @Override
  public RestoreReport restore(Path file, Progress progress) {
    return new Restore(store, progress).read(file.toAbsolutePath().normalize());
  }

  @Override
  public ExportReport export(
      OutputStream out, Optional<SpaceId> space, Set<SpaceId> without, Progress progress) {
    return new Export(store, space, without, progress).write(out);
  }

  @Override
  public ImportReport importFrom(Path file, ImportRules rules, Progress progress) {
    return new Import(store, file, rules, progress).run();
  }

  @Override
  public CompactReport compact(Progress progress) {
    Engine engine = store.engine();
    List<CompactReport> done = new ArrayList<>(1);
    SessionTask task =
        session -> {
          long before = engine.bytes(session);
          engine.compact(session, progress);
          done.add(new CompactReport(before, engine.bytes(session)));
        };
    if (engine.writesOnOneSession()) {
      store.betweenWrites(task);
    } else {
      store.onSession(SessionRole.OWNER, task);
    }
    return done.getFirst();
  }

  @Override
  public DoctorReport examine(Progress progress) {
    return new Doctor(store, progress).examine();
  }
}
