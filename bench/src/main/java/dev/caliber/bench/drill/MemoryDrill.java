package dev.caliber.bench.drill;

import dev.caliber.kernel.RandomSource;
import dev.caliber.memory.Memory;
import dev.caliber.store.RecordStore;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Kills a process that closes scopes, runs policies and consolidates, again and again. The store
 * must have the state before a step or after it, and a job must finish an interrupted run of
 * policies, once. Rounds continue with the same store.
 */
public final class MemoryDrill {
  private static final Duration LATER = Duration.ofDays(1);

  /** Approximate number of clock readings when the steps of a close begin and end. */
  private static final int FIRST_STEP = 80;

  private static final int LAST_STEP = 175;

  /** Approximate number of clock readings at the first and the last commit of a consolidation. */
  private static final int FIRST_PORTION = 60;

  private static final int LAST_PORTION = 120;

  private final MemoryDrillTarget place;
  private final RandomSource randomSource;

  private MemoryDrill(MemoryDrillTarget place, long seed) {
    this.place = place;
    this.randomSource = RandomSource.seeded(seed);
  }

  public static MemoryDrill sqlite(Path directory, long seed) {
    return new MemoryDrill(MemoryDrillTarget.sqlite(directory), seed);
  }

  /** Creates a drill in a schema of its own on this server. */
  public static MemoryDrill postgres(String url, long seed) {
    return new MemoryDrill(MemoryDrillTarget.postgres(TestEngines.postgres(url)), seed);
  }

  /** Phases that a kill can interrupt. */
  public enum MemoryDrillPhase {
    /** The commit that closes a scope. */
    CLOSE(DrillWorker.CLOSING, 0, 1),
    /** The steps that a close triggers. */
    POLICY(DrillWorker.CLOSING, FIRST_STEP, LAST_STEP),
    /** Any commit of a consolidation. */
    CONSOLIDATION(DrillWorker.CONSOLIDATING, 0, 2),
    /** A consolidation after its first commit. */
    PORTION(DrillWorker.CONSOLIDATING, FIRST_PORTION, LAST_PORTION);

    private final String word;
    private final int earliest;
    private final int latest;

    MemoryDrillPhase(String word, int earliest, int latest) {
      this.word = word;
      this.earliest = earliest;
      this.latest = latest;
    }
  }

  /**
   * The result of one kill.
   *
   * @param acknowledged steps that were acknowledged to the worker as durable
   * @param unfinished runs of policies that the kill interrupted
   * @param interrupted steps that were begun and not acknowledged
   * @param findings every violation found
   */
  public record MemoryDrillReport(
      long acknowledged,
      long unfinished,
      Set<MemoryDrillPhase> interrupted,
      List<String> findings) {
    public MemoryDrillReport {
      interrupted = Set.copyOf(interrupted);
      findings = List.copyOf(findings);
    }
  }

  /** Kills once, after a number of reports between the two. */
  public MemoryDrillReport runRound(int earliest, int latest) {
    List<String> reports;
    try (DrillChildProcess child =
        DrillChildProcess.start(place, DrillWorker.class, HoldPoint.NEVER)) {
      reports = child.killAfter(earliest + randomSource.nextInt(latest - earliest + 1));
    }
    return verify(reports);
  }

  /** Kills once in this phase, at a random report of it; a step may be shorter than that. */
  public MemoryDrillReport runRound(MemoryDrillPhase phase) {
    HoldPoint point =
        new HoldPoint(
            phase.word,
            1 + randomSource.nextInt(DrillWorker.SCOPES),
            phase.earliest + randomSource.nextInt(phase.latest - phase.earliest + 1));
    List<String> reports;
    try (DrillChildProcess child = DrillChildProcess.start(place, DrillWorker.class, point)) {
      reports = child.killAtHoldPoint();
    }
    return verify(reports);
  }

  private static Set<MemoryDrillPhase> interruptedPhases(List<String> reports, DrillVerifier look) {
    Set<MemoryDrillPhase> phases = EnumSet.noneOf(MemoryDrillPhase.class);
    if (look.isPolicyUnfinished()) {
      phases.add(MemoryDrillPhase.POLICY);
    }
    if (look.isConsolidationUnfinished()) {
      phases.add(MemoryDrillPhase.PORTION);
    }
    String last =
        reports.reversed().stream()
            .filter(
                report ->
                    !report.startsWith(DrillWorker.INSIDE) && !report.startsWith(DrillWorker.HELD))
            .findFirst()
            .orElse("");
    if (last.startsWith(DrillWorker.CONSOLIDATING)) {
      phases.add(MemoryDrillPhase.CONSOLIDATION);
    }
    if (last.startsWith(DrillWorker.CLOSING) && look.isOpen(last.split(" ", 2)[1])) {
      phases.add(MemoryDrillPhase.CLOSE);
    }
    return phases;
  }

  private MemoryDrillReport verify(List<String> reports) {
    ManualClock clock = new ManualClock();
    try (RecordStore store = place.open(clock)) {
      Memory memory =
          MemoryDrillTarget.openMemory(
              store, clock, _ -> Optional.of(MemoryDrillTarget.deployedConfig()));
      DrillVerifier look = new DrillVerifier(store, memory);
      look.checkAfterKill(reports);
      long unfinished = look.unfinishedRuns();
      Set<MemoryDrillPhase> interrupted = interruptedPhases(reports, look);
      clock.set(look.newestTime().plus(LATER));
      Jobs jobs = Jobs.of(store, place.config().jobs(), clock);
      memory.registerJobHandlers(jobs);
      while (jobs.runDue(MemoryDrillTarget.SPACE) > 0) {
        // until no job is due
      }
      look.checkAfterRecovery();
      long done = reports.stream().filter(DrillWorker::isAcknowledged).count();
      return new MemoryDrillReport(done, unfinished, interrupted, look.findings());
    }
  }
}
