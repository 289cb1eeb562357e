package dev.caliber.testkit.crash;

import dev.caliber.kernel.Chance;
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
 * Hits a store while 16 writers are at work, brings it back, and checks that every acknowledged
 * commit is there in full, that none is torn, that the feed is dense and says just what happened,
 * and that every index agrees with the bodies. Rounds go on with the same store.
 *
 * <p>A kill proves atomicity; durability is proven by cutting the power, which needs root and loop
 * devices. What writers do follows from the seed; when the blow falls is counted in
 * acknowledgements.
 */
public final class CrashDrill implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CrashDrill.class);

  /** What a writer may be told when its server goes away. */
  private static final Set<String> CLEAR =
      Set.of(
              StoreErrorCode.TRANSACTION_FAILED,
              StoreErrorCode.UNREACHABLE,
              StoreErrorCode.COMMIT_UNKNOWN)
          .stream()
          .map(StoreErrorCode::text)
          .collect(Collectors.toUnmodifiableSet());

  private final CrashSite site;
  private final Chance chance;
  private final List<DrillProcess.Acknowledgement> kept = new ArrayList<>();

  private CrashDrill(CrashSite site) {
    this.site = site;
    this.chance = Chance.seeded(~site.target().seed());
    LOG.info("Crash drill with seed {} on {}", site.target().seed(), site.target().engine());
  }

  /** Kills the process that writes to a SQLite store in this directory. */
  public static CrashDrill killSqlite(Path directory, long seed) {
    return new CrashDrill(
        new CrashSite.KilledClient(DrillTarget.sqlite(directory, Durability.FULL, seed)));
  }

  /** Kills the process that writes to this server. */
  public static CrashDrill killPostgresClient(PostgresServer server, long seed) {
    return new CrashDrill(
        new CrashSite.KilledClient(DrillTarget.postgres(server.url(), Durability.FULL, seed)));
  }

  /** Stops this server at once, starts it again, and expects the writers to go on. */
  public static CrashDrill crashPostgres(PostgresServer server, long seed) {
    return new CrashDrill(
        new CrashSite.CrashedServer(
            DrillTarget.postgres(server.url(), Durability.FULL, seed), server));
  }

  /** Cuts the power of a disk that holds a SQLite store. */
  public static CrashDrill cutPowerOfSqlite(Durability durability, long seed) {
    return new CrashDrill(CrashSite.DarkSqlite.make(durability, seed));
  }

  /** Cuts the power of a disk that holds a PostgreSQL server. */
  public static CrashDrill cutPowerOfPostgres(Durability durability, long seed) {
    return new CrashDrill(CrashSite.DarkPostgres.make(durability, seed));
  }

  /** One blow, after a number of acknowledgements between the two. */
  public DrillReport round(int earliest, int latest) {
    int acknowledgements = earliest + chance.nextInt(latest - earliest + 1);
    DrillProcess.Heard heard;
    try (DrillProcess writers = DrillProcess.start(site.target())) {
      writers.awaitAcknowledgements(acknowledgements);
      heard = site.strike(writers);
    }
    site.recover();
    DrillCheck.Result result;
    try (RecordStore store = site.target().open(new ManualClock(), chance)) {
      result = DrillCheck.run(store, site.target().seed());
    }
    return compare(heard, result);
  }

  private DrillReport compare(DrillProcess.Heard heard, DrillCheck.Result result) {
    List<String> findings = new ArrayList<>(heard.findings());
    findings.addAll(result.findings());
    heard.failures().stream()
        .filter(_ -> site.leavesWriters())
        .filter(failure -> !CLEAR.contains(failure.replaceAll(":.*", "")))
        .distinct()
        .forEach(failure -> findings.add("A writer was told: " + failure));
    kept.addAll(heard.acknowledged());
    long before = kept.size();
    kept.removeIf(acknowledgement -> isLost(acknowledgement, result));
    kept.stream()
        .filter(a -> sequence(a, result) != a.sequence())
        .forEach(a -> findings.add("Found at sequence %d: %s".formatted(sequence(a, result), a)));
    return new DrillReport(
        heard.acknowledged().size(),
        result.present(),
        before - kept.size(),
        heard.failures(),
        findings);
  }

  private static boolean isLost(
      DrillProcess.Acknowledgement acknowledgement, DrillCheck.Result result) {
    return result.sequences().get(acknowledgement.writer()).size() < acknowledgement.counter();
  }

  private static long sequence(
      DrillProcess.Acknowledgement acknowledgement, DrillCheck.Result result) {
    return result
        .sequences()
        .get(acknowledgement.writer())
        .get(Math.toIntExact(acknowledgement.counter() - 1));
  }

  @Override
  public void close() {
    site.close();
  }
}
