package dev.caliber.bench.drill;

import dev.caliber.kernel.Chance;
import dev.caliber.memory.Memory;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.testkit.Engines;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Kills a process that closes scopes, runs policies and consolidates, again and again. What is left
 * must be the state before a step or the state after it, and a run of policies that was interrupted
 * must be finished by its job, once. Rounds go on with the same store.
 */
public final class MemoryDrill {
  private static final Duration LATER = Duration.ofDays(1);

  private final DrillPlace place;
  private final Chance chance;

  private MemoryDrill(DrillPlace place, long seed) {
    this.place = place;
    this.chance = Chance.seeded(seed);
  }

  public static MemoryDrill sqlite(Path directory, long seed) {
    return new MemoryDrill(DrillPlace.sqlite(directory), seed);
  }

  /** In a schema of its own on this server. */
  public static MemoryDrill postgres(String url, long seed) {
    return new MemoryDrill(DrillPlace.postgres(Engines.postgres(url)), seed);
  }

  /**
   * What one blow did.
   *
   * @param acknowledged steps that the worker was told are durable
   * @param unfinished runs of policies that the blow interrupted
   * @param findings everything that is not as it must be
   */
  public record Report(long acknowledged, long unfinished, List<String> findings) {
    public Report {
      findings = List.copyOf(findings);
    }
  }

  /** One blow, after a number of reports between the two. */
  public Report round(int earliest, int latest) {
    List<String> reports;
    try (DrillChild child = DrillChild.start(place)) {
      reports = child.killAfter(earliest + chance.nextInt(latest - earliest + 1));
    }
    return look(reports);
  }

  private Report look(List<String> reports) {
    ManualClock clock = new ManualClock();
    try (RecordStore store = place.open(clock)) {
      Memory memory = DrillPlace.memory(store, clock, _ -> Optional.of(DrillPlace.deployed()));
      DrillLook look = new DrillLook(store, memory);
      look.atRest(reports);
      long unfinished = look.unfinished();
      clock.set(look.newest().plus(LATER));
      Jobs jobs = Jobs.of(store, place.config().jobs(), clock);
      memory.attach(jobs);
      while (jobs.runDue(DrillPlace.SPACE) > 0) {
        // until nothing is due
      }
      look.afterRecovery();
      long inside =
          reports.stream().filter(report -> report.startsWith(DrillWorker.INSIDE)).count();
      return new Report(reports.size() - inside, unfinished, look.findings());
    }
  }
}
