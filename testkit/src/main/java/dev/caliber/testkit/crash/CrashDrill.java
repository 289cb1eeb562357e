package dev.caliber.testkit.crash;

import dev.caliber.kernel.RandomSource;
import dev.caliber.store.Durability;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreErrorCode;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drill that crashes a store while 16 writers are at work, recovers it, and checks that every
 * acknowledged commit is there in full, that none is torn, that the feed is dense and complete, and
 * that every index agrees with the bodies. Rounds continue with the same store.
 *
 * <p>A kill proves atomicity; durability is proven by cutting the power, which needs root and loop
 * devices. The writers' steps follow from the seed; the moment of the crash is counted in
 * acknowledgements.
 */
public final class CrashDrill implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CrashDrill.class);

  /** Errors that a writer may get when its server fails. */
  private static final Set<String> CLEAR =
      Set.of(
              StoreErrorCode.TRANSACTION_FAILED,
              StoreErrorCode.UNREACHABLE,
              StoreErrorCode.COMMIT_OUTCOME_UNKNOWN)
          .stream()
          .map(StoreErrorCode::text)
          .collect(Collectors.toUnmodifiableSet());

  private final CrashScenario site;
  private final RandomSource randomSource;
  private final List<DrillProcess.Acknowledgement> kept = new ArrayList<>();

  private CrashDrill(CrashScenario site) {
    this.site = site;
    this.randomSource = RandomSource.seeded(~site.target().seed());
    LOG.info("Crash drill with seed {} on {}", site.target().seed(), site.target().engine());
  }

  /** Returns a drill that kills the process writing to a SQLite store in this directory. */
  public static CrashDrill killSqlite(Path directory, long seed) {
    return new CrashDrill(
        new CrashScenario.ClientKill(DrillTarget.sqlite(directory, Durability.FULL, seed)));
  }

  /** Returns a drill that kills the process writing to this server. */
  public static CrashDrill killPostgresClient(PostgresServer server, long seed) {
    return new CrashDrill(
        new CrashScenario.ClientKill(DrillTarget.postgres(server.url(), Durability.FULL, seed)));
  }

  /**
   * Returns a drill that stops this server at once, starts it again, and expects the writers to
   * continue.
   */
  public static CrashDrill crashPostgres(PostgresServer server, long seed) {
    return new CrashDrill(
        new CrashScenario.ServerCrash(
            DrillTarget.postgres(server.url(), Durability.FULL, seed), server));
  }

  /** Returns a drill that cuts the power of a disk with a SQLite store. */
  public static CrashDrill cutPowerOfSqlite(Durability durability, long seed) {
    return new CrashDrill(CrashScenario.SqlitePowerCut.create(durability, seed));
  }

  /** Returns a drill that cuts the power of a disk with a PostgreSQL server. */
  public static CrashDrill cutPowerOfPostgres(Durability durability, long seed) {
    return new CrashDrill(CrashScenario.PostgresPowerCut.create(durability, seed));
  }

  /** Runs one round: a crash after a number of acknowledgements between the two. */
  public CrashDrillReport runRound(int earliest, int latest) {
    int acknowledgements = earliest + randomSource.nextInt(latest - earliest + 1);
    DrillProcess.DrillProcessReport drillProcessReport;
    try (DrillProcess writers = DrillProcess.start(site.target())) {
      writers.awaitAcknowledgements(acknowledgements);
      drillProcessReport = site.crash(writers);
    }
    site.recover();
    DrillStoreVerifier.DrillStoreResult drillStoreResult;
    try (RecordStore store = site.target().open(new ManualClock(), randomSource)) {
      drillStoreResult = DrillStoreVerifier.verify(store, site.target().seed());
    }
    return buildReport(drillProcessReport, drillStoreResult);
  }

  private CrashDrillReport buildReport(
      DrillProcess.DrillProcessReport drillProcessReport,
      DrillStoreVerifier.DrillStoreResult drillStoreResult) {
    List<String> findings = new ArrayList<>(drillProcessReport.findings());
    findings.addAll(drillStoreResult.findings());
    drillProcessReport.failures().stream()
        .filter(_ -> site.keepsWritersAlive())
        .filter(failure -> !CLEAR.contains(failure.replaceAll(":.*", "")))
        .distinct()
        .forEach(failure -> findings.add("A writer was told: " + failure));
    kept.addAll(drillProcessReport.acknowledged());
    long before = kept.size();
    kept.removeIf(acknowledgement -> isLost(acknowledgement, drillStoreResult));
    kept.stream()
        .filter(a -> sequence(a, drillStoreResult) != a.sequence())
        .forEach(
            a ->
                findings.add(
                    "Found at sequence %d: %s".formatted(sequence(a, drillStoreResult), a)));
    return new CrashDrillReport(
        drillProcessReport.acknowledged().size(),
        drillStoreResult.presentCommits(),
        before - kept.size(),
        drillProcessReport.failures(),
        findings);
  }

  private static boolean isLost(
      DrillProcess.Acknowledgement acknowledgement,
      DrillStoreVerifier.DrillStoreResult drillStoreResult) {
    return drillStoreResult.sequences().get(acknowledgement.writer()).size()
        < acknowledgement.counter();
  }

  private static long sequence(
      DrillProcess.Acknowledgement acknowledgement,
      DrillStoreVerifier.DrillStoreResult drillStoreResult) {
    return drillStoreResult
        .sequences()
        .get(acknowledgement.writer())
        .get(Math.toIntExact(acknowledgement.counter() - 1));
  }

  @Override
  public void close() {
    site.close();
  }
}
