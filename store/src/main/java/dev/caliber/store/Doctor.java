package dev.caliber.store;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.SpaceId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs every check on a session and a transaction of its own, so that damage which breaks one check
 * does not keep the others from looking.
 */
final class Doctor {

  private final JdbcRecordStore store;
  private final Progress progress;
  private final Findings findings = new Findings();
  private final AtomicLong records = new AtomicLong();

  Doctor(JdbcRecordStore store, Progress progress) {
    this.store = store;
    this.progress = progress;
  }

  DoctorReport examine() {
    List<Check> checks = checks();
    for (int i = 0; i < checks.size(); i++) {
      progress.at(checks.get(i).name(), i, checks.size());
      make(checks.get(i));
    }
    progress.at("done", checks.size(), checks.size());
    return findings.report(records.get());
  }

  private List<Check> checks() {
    Catalogue catalogue = store.catalogue();
    List<Check> checks = new ArrayList<>(store.engine().checks(catalogue, store.config().doctor()));
    checks.add(Check.of("indexes", new IndexNamesCheck(catalogue)));
    for (TableRuntime<?> runtime : catalogue.all()) {
      checks.add(Check.of("table " + runtime.table().name(), new RowsCheck<>(runtime, records)));
    }
    checks.add(Check.of("feed", new FeedCheck()));
    checks.add(Check.of("followers", new FollowersCheck()));
    checks.add(Check.of("jobs", new DeadJobsCheck()));
    return checks;
  }

  private void make(Check check) {
    try {
      store.onSession(
          check.role(),
          session -> {
            if (check.role() == SessionRole.KEEPER) {
              session.beginSurvey();
            } else {
              session.beginWrite(SpaceId.DEFAULT);
            }
            runAndRollBack(check, session);
          });
    } catch (CaliberException e) {
      if (e.code() == StoreErrorCode.CLOSED) {
        throw e;
      }
      report(check, e.code() == StoreErrorCode.CORRUPT, e.message());
    } catch (RuntimeException e) { // damage takes forms that no check has thought of
      report(check, false, String.valueOf(e));
    }
  }

  /** SQLite may have ended the transaction itself, so the check's own failure comes first. */
  private void runAndRollBack(Check check, Session session) throws SQLException {
    try {
      check.work().run(session, findings);
    } catch (Throwable e) {
      try {
        session.rollback();
      } catch (SQLException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
    session.rollback();
  }

  private void report(Check check, boolean damage, String what) {
    findings.error(
        damage ? FindingCode.ENGINE_DAMAGED : FindingCode.CHECK_FAILED,
        check.name(),
        what,
        damage
            ? "Stop the store, keep a copy of it, and restore the last backup."
            : "Mend what else was found, then examine again.");
  }
}
