package dev.caliber.bench.drill;

import dev.caliber.kernel.RandomSource;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.testkit.ManualClock;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Kills a process that forgets a subject, again and again. A reader then finds all records of the
 * subject or none, a second call erases the rest, and the other subject keeps its own.
 */
public final class ForgetDrill {
  private static final int ALL = ForgetWorker.TURNS + ForgetWorker.NOTES;
  private static final int LIMIT = 100;

  /** A time after the killed process, which used the real clock. */
  private static final Duration LATER = Duration.ofDays(36_500);

  private final MemoryDrillTarget place;
  private final RandomSource randomSource;

  private ForgetDrill(MemoryDrillTarget place, long seed) {
    this.place = place;
    this.randomSource = RandomSource.seeded(seed);
  }

  public static ForgetDrill sqlite(Path directory, long seed) {
    return new ForgetDrill(MemoryDrillTarget.sqlite(directory), seed);
  }

  /** Creates a drill in a schema of its own on this server. */
  public static ForgetDrill postgres(String url, long seed) {
    return new ForgetDrill(MemoryDrillTarget.postgres(TestEngines.postgres(url)), seed);
  }

  /**
   * The result of one kill.
   *
   * @param seen the number of the subject's records that a reader found
   * @param left the number of the subject's records that were not erased yet
   * @param findings every violation found
   */
  public record ForgetDrillReport(int seen, int left, List<String> findings) {
    public ForgetDrillReport {
      findings = List.copyOf(findings);
    }

    /** Returns whether the kill fell between the first commit and the last. */
    public boolean isHalfDone() {
      return seen == 0 && left > 0;
    }
  }

  /** Kills once, at most after this number of clock readings since the start of forgetting. */
  public ForgetDrillReport runRound(int latest) {
    HoldPoint point = new HoldPoint(ForgetWorker.FORGETTING, 1, randomSource.nextInt(latest + 1));
    try (DrillChildProcess child = DrillChildProcess.start(place, ForgetWorker.class, point)) {
      child.killAtHoldPoint();
    }
    ManualClock clock = new ManualClock();
    clock.set(ManualClock.START.plus(LATER));
    try (RecordStore store = place.open(clock)) {
      return verify(store, ForgetWorker.openMemory(store, clock));
    }
  }

  private static ForgetDrillReport verify(RecordStore store, Memory memory) {
    List<String> findings = new ArrayList<>();
    int seen = countVisible(memory, ForgetWorker.ALICE);
    int left = countStored(store, ForgetWorker.ALICE);
    int others = countStored(store, ForgetWorker.BOB);
    if (seen != 0 && seen != ALL) {
      findings.add("a reader found %d of %d records".formatted(seen, ALL));
    }
    memory.forget(MemoryDrillTarget.SPACE, ForgetWorker.forgetAllOf(ForgetWorker.ALICE));
    if (countStored(store, ForgetWorker.ALICE) != 0) {
      findings.add("a second call left records");
    }
    if (countStored(store, ForgetWorker.BOB) != others) {
      findings.add("records of another subject are gone");
    }
    memory.forget(MemoryDrillTarget.SPACE, ForgetWorker.forgetAllOf(ForgetWorker.BOB));
    return new ForgetDrillReport(seen, left, findings);
  }

  private static int countVisible(Memory memory, String subject) {
    RecallFilter own = RecallFilter.ofSubject(subject);
    return memory
        .recall(
            MemoryDrillTarget.SPACE,
            RecallQuery.of("key drawer turn " + subject, LIMIT).withFilter(own))
        .hits()
        .size();
  }

  /** Counts the stored records, hidden ones included. */
  private static int countStored(RecordStore store, String subject) {
    return store.read(
        MemoryDrillTarget.SPACE,
        snapshot ->
            snapshot
                    .scan(Query.over(Turn.TABLE, "subject", "created_at").equal(subject), LIMIT)
                    .records()
                    .size()
                + snapshot
                    .scan(Query.over(Note.TABLE, "subject", "recorded_at").equal(subject), LIMIT)
                    .records()
                    .size());
  }
}
