package dev.caliber.testkit.crash;

import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.ChangeKind;
import dev.caliber.store.Table;
import dev.caliber.testkit.ManualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Steps of one writer, derived from the seed alone: the writing process and the verifying one agree
 * on them without communication. A writer touches only rows of its own.
 */
final class WriterPlan {

  static final int WRITERS = 16;

  private static final int SPACES = 4;
  private static final int OTHERS_BOUND = 3;
  private static final int JOB_EVERY = 7;
  private static final int COLOURS = 5;
  private static final int TEXT_BOUND = 600;
  private static final double DELETES = 0.25;
  private static final double UPDATES = 0.6;
  private static final long WRITER_STEP = 1_000_003;

  private final int writer;
  private final RandomSource randomSource;
  private final NavigableMap<String, DrillRecord> marks = new TreeMap<>();
  private final NavigableMap<String, DrillRecord> echoes = new TreeMap<>();
  private final List<String> jobs = new ArrayList<>();
  private long counter;

  WriterPlan(long seed, int writer) {
    this.writer = writer;
    this.randomSource = RandomSource.seeded(seed + writer * WRITER_STEP);
  }

  static SpaceId spaceOf(int writer) {
    return new SpaceId("drill-" + writer % SPACES);
  }

  /**
   * Returns the next commit; afterwards the plan holds the expected state of the store after it.
   */
  DrillStep nextStep() {
    counter++;
    List<DrillStep.DrillWrite> draft = new ArrayList<>();
    String head = DrillRecord.headIdOf(writer);
    draft.add(
        new DrillStep.DrillWrite(
            DrillRecord.MARKS,
            randomRecord(head),
            counter == 1 ? ChangeKind.CREATED : ChangeKind.UPDATED));
    int others = 1 + randomSource.nextInt(OTHERS_BOUND);
    for (int i = 0; i < others; i++) {
      draft.add(randomWrite(i, draft));
    }
    int parts =
        (int) draft.stream().filter(drillWrite -> drillWrite.kind() != ChangeKind.DELETED).count();
    List<DrillStep.DrillWrite> writes =
        draft.stream().map(drillWrite -> withParts(drillWrite, parts)).toList();
    writes.forEach(this::applyToPlan);
    DrillStep drillStep = new DrillStep(writer, counter, writes, counter % JOB_EVERY == 0);
    if (drillStep.job()) {
      jobs.add(drillStep.jobPayload());
    }
    return drillStep;
  }

  /** Advances to the state of a store that holds this many commits of the writer. */
  void skipTo(long commits) {
    while (counter < commits) {
      nextStep();
    }
  }

  int writer() {
    return writer;
  }

  long counter() {
    return counter;
  }

  NavigableMap<String, DrillRecord> liveRecords(Table<DrillRecord> table) {
    return table.name().equals(DrillRecord.MARKS.name()) ? marks : echoes;
  }

  List<String> jobs() {
    return jobs;
  }

  private DrillStep.DrillWrite randomWrite(int position, List<DrillStep.DrillWrite> before) {
    Table<DrillRecord> table =
        randomSource.nextInt(2) == 0 ? DrillRecord.MARKS : DrillRecord.ECHOES;
    Optional<DrillRecord> old = randomLiveRecord(liveRecords(table), before);
    double what = randomSource.nextDouble();
    if (old.isPresent() && what < DELETES) {
      return new DrillStep.DrillWrite(table, old.get(), ChangeKind.DELETED);
    }
    if (old.isPresent() && what < UPDATES) {
      return new DrillStep.DrillWrite(table, randomRecord(old.get().id()), ChangeKind.UPDATED);
    }
    String id = "%02d-%08d-%d".formatted(writer, counter, position);
    return new DrillStep.DrillWrite(table, randomRecord(id), ChangeKind.CREATED);
  }

  /** Returns a row of this writer that the commit has not touched yet. */
  private Optional<DrillRecord> randomLiveRecord(
      NavigableMap<String, DrillRecord> live, List<DrillStep.DrillWrite> before) {
    List<DrillRecord> free =
        live.values().stream()
            .filter(drillRecord -> !drillRecord.id().equals(DrillRecord.headIdOf(writer)))
            .filter(
                drillRecord ->
                    before.stream().noneMatch(w -> w.mark().id().equals(drillRecord.id())))
            .toList();
    return free.isEmpty()
        ? Optional.empty()
        : Optional.of(free.get(randomSource.nextInt(free.size())));
  }

  private DrillRecord randomRecord(String id) {
    int colour = randomSource.nextInt(COLOURS);
    Instant at = ManualClock.START.plusMillis(randomSource.nextInt(Integer.MAX_VALUE));
    return new DrillRecord(
        id,
        writer,
        counter,
        0,
        colour == 0 ? Optional.empty() : Optional.of("colour-" + colour),
        randomSource.nextDouble(),
        randomSource.nextInt(2) == 0,
        at,
        "x".repeat(randomSource.nextInt(TEXT_BOUND)));
  }

  private static DrillStep.DrillWrite withParts(DrillStep.DrillWrite drillWrite, int parts) {
    DrillRecord m = drillWrite.mark();
    if (drillWrite.kind() == ChangeKind.DELETED) {
      return drillWrite;
    }
    DrillRecord counted =
        new DrillRecord(
            m.id(),
            m.writer(),
            m.counter(),
            parts,
            m.colour(),
            m.weight(),
            m.loud(),
            m.at(),
            m.text());
    return new DrillStep.DrillWrite(drillWrite.table(), counted, drillWrite.kind());
  }

  private void applyToPlan(DrillStep.DrillWrite drillWrite) {
    if (drillWrite.kind() == ChangeKind.DELETED) {
      liveRecords(drillWrite.table()).remove(drillWrite.mark().id());
    } else {
      liveRecords(drillWrite.table()).put(drillWrite.mark().id(), drillWrite.mark());
    }
  }
}
