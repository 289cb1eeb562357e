package dev.caliber.bench.drill;

import dev.caliber.kernel.Chance;
import dev.caliber.memory.Memory;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.testkit.Engines;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Kills a process that closes scopes, runs policies and consolidates, again and again. What is left
 * must be the state before a step or the state after it, and a run of policies that was interrupted
 * must be finished by its job, once. Rounds go on with the same store.
 */
public final class MemoryDrill {
  private static final Duration LATER = Duration.ofDays(1);

  /** How often the time was asked for, about, when the steps of a close begin and end. */
  private static final int FIRST_STEP = 60;

  private static final int LAST_STEP = 175;

  /** The same for the first and the last commit of a consolidation. */
  private static final int FIRST_PORTION = 15;

  private static final int LAST_PORTION = 55;

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

  /** What a blow can interrupt. */
  public enum Phase {
    /** The commit that closes a scope. */
    CLOSE(DrillWorker.CLOSING, 0, 1),
    /** The steps of what the close sets off. */
    POLICY(DrillWorker.CLOSING, FIRST_STEP, LAST_STEP),
    /** Any commit of a consolidation. */
    CONSOLIDATION(DrillWorker.CONSOLIDATING, 0, 2),
    /** What comes after its first commit. */
    PORTION(DrillWorker.CONSOLIDATING, FIRST_PORTION, LAST_PORTION);

    private final String word;
    private final int earliest;
    private final int latest;

    Phase(String word, int earliest, int latest) {
      this.word = word;
      this.earliest = earliest;
      this.latest = latest;
    }
  }

  /**
   * What one blow did.
   *
   * @param acknowledged steps that the worker was told are durable
   * @param unfinished runs of policies that the blow interrupted
   * @param interrupted what was begun and not acknowledged
   * @param findings everything that is not as it must be
   */
  public record Report(
      long acknowledged, long unfinished, Set<Phase> interrupted, List<String> findings) {
    public Report {
      interrupted = Set.copyOf(interrupted);
      findings = List.copyOf(findings);
    }
  }

  /** One blow, after a number of reports between the two. */
  public Report round(int earliest, int latest) {
    List<String> reports;
    try (DrillChild child = DrillChild.start(place, DrillWorker.class)) {
      reports = child.killAfter(earliest + chance.nextInt(latest - earliest + 1));
    }
    return look(reports);
  }

  /** One blow that is meant for a phase, and may miss it: the worker does not wait for it. */
  public Report round(Phase phase) {
    List<String> reports;
    try (DrillChild child = DrillChild.start(place, DrillWorker.class)) {
      reports =
          child.killAfter(
              phase.word,
              1 + chance.nextInt(DrillWorker.SCOPES),
              phase.earliest + chance.nextInt(phase.latest - phase.earliest + 1));
    }
    return look(reports);
  }

  private static Set<Phase> interrupted(List<String> reports, DrillLook look) {
    Set<Phase> phases = EnumSet.noneOf(Phase.class);
    if (look.isPolicyUnfinished()) {
      phases.add(Phase.POLICY);
    }
    if (look.isConsolidationUnfinished()) {
      phases.add(Phase.PORTION);
    }
    String last =
        reports.reversed().stream()
            .filter(report -> !report.startsWith(DrillWorker.INSIDE))
            .findFirst()
            .orElse("");
    if (last.startsWith(DrillWorker.CONSOLIDATING)) {
      phases.add(Phase.CONSOLIDATION);
    }
    if (last.startsWith(DrillWorker.CLOSING) && look.isOpen(last.split(" ", 2)[1])) {
      phases.add(Phase.CLOSE);
    }
    return phases;
  }

  private Report look(List<String> reports) {
    ManualClock clock = new ManualClock();
    try (RecordStore store = place.open(clock)) {
      Memory memory = DrillPlace.memory(store, clock, _ -> Optional.of(DrillPlace.deployed()));
      DrillLook look = new DrillLook(store, memory);
      look.atRest(reports);
      long unfinished = look.unfinished();
      Set<Phase> interrupted = interrupted(reports, look);
      clock.set(look.newest().plus(LATER));
      Jobs jobs = Jobs.of(store, place.config().jobs(), clock);
      memory.attach(jobs);
      while (jobs.runDue(DrillPlace.SPACE) > 0) {
        // until nothing is due
      }
      look.afterRecovery();
      long done = reports.stream().filter(DrillWorker::isAcknowledged).count();
      return new Report(done, unfinished, interrupted, look.findings());
    }
  }
}
