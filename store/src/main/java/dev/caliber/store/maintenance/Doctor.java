package dev.caliber.store.maintenance;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.store.jdbc.JdbcRecordStore;
import dev.caliber.store.jdbc.postgres.PostgresSecurity;
import dev.caliber.store.jdbc.sql.DatabaseRole;
import dev.caliber.store.jdbc.sql.DatabaseSession;
import dev.caliber.store.jdbc.sql.DeclaredTables;
import dev.caliber.store.jdbc.sql.PreparedTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runner of all checks. Each has a session and a transaction of its own, so that damage which
 * breaks one check does not stop the others.
 */
final class Doctor {

  private final JdbcRecordStore store;
  private final ProgressListener progressListener;
  private final DoctorFindingCollector doctorFindingCollector = new DoctorFindingCollector();
  private final AtomicLong records = new AtomicLong();

  Doctor(JdbcRecordStore store, ProgressListener progressListener) {
    this.store = store;
    this.progressListener = progressListener;
  }

  DoctorReport examine() {
    List<StoreCheck> checks = checks();
    for (int i = 0; i < checks.size(); i++) {
      progressListener.onProgress(checks.get(i).name(), i, checks.size());
      runCheck(checks.get(i));
    }
    progressListener.onProgress("done", checks.size(), checks.size());
    return doctorFindingCollector.report(records.get());
  }

  private List<StoreCheck> checks() {
    DeclaredTables declaredTables = store.declaredTables();
    List<StoreCheck> checks = new ArrayList<>(engineChecks(store.config(), declaredTables));
    checks.add(StoreCheck.of("indexes", new IndexNamesCheck(declaredTables)));
    for (PreparedTable<?> runtime : declaredTables.all()) {
      checks.add(
          StoreCheck.of(
              "table " + runtime.table().name(), new RowIntegrityCheck<>(runtime, records)));
    }
    checks.add(StoreCheck.of("feed", new FeedCheck()));
    checks.add(StoreCheck.of("followers", new FollowersCheck()));
    checks.add(StoreCheck.of("jobs", new DeadJobsCheck()));
    return checks;
  }

  /** Returns the checks that only the configured engine needs. */
  private static List<StoreCheck> engineChecks(StoreConfig config, DeclaredTables declaredTables) {
    return switch (config.engine()) {
      case StoreConfig.SqliteSettings sqliteSettings ->
          SqliteChecks.all(sqliteSettings.directory(), config.durability(), config.doctor());
      case StoreConfig.InMemorySettings _ -> List.of(SqliteChecks.integrity());
      case StoreConfig.PostgresSettings postgresSettings ->
          new PostgresChecks(new PostgresSecurity(postgresSettings.schema()), declaredTables)
              .all(config.durability());
    };
  }

  private void runCheck(StoreCheck storeCheck) {
    try {
      store.runInSession(
          storeCheck.role(),
          databaseSession -> {
            if (storeCheck.role() == DatabaseRole.KEEPER) {
              databaseSession.beginReadOfAllSpaces();
            } else {
              databaseSession.beginWrite(SpaceId.DEFAULT);
            }
            runAndRollBack(storeCheck, databaseSession);
          });
    } catch (CaliberException e) {
      if (e.code() == StoreErrorCode.CLOSED) {
        throw e;
      }
      report(storeCheck, e.code() == StoreErrorCode.CORRUPT, e.message());
    } catch (RuntimeException e) { // no check can foresee every form of damage
      report(storeCheck, false, String.valueOf(e));
    }
  }

  /**
   * Runs a check and rolls back. SQLite may have ended the transaction itself, so a failed rollback
   * is added to the check's own failure.
   */
  private void runAndRollBack(StoreCheck storeCheck, DatabaseSession databaseSession)
      throws SQLException {
    try {
      storeCheck.work().run(databaseSession, doctorFindingCollector);
    } catch (Throwable e) {
      try {
        databaseSession.rollback();
      } catch (SQLException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
    databaseSession.rollback();
  }

  private void report(StoreCheck storeCheck, boolean damage, String what) {
    doctorFindingCollector.error(
        damage ? DoctorFindingCode.ENGINE_DAMAGED : DoctorFindingCode.CHECK_FAILED,
        storeCheck.name(),
        what,
        damage
            ? "Stop the store, keep a copy of it, and restore the last backup."
            : "Repair the other findings, then run 'caliber doctor' again.");
  }
}
