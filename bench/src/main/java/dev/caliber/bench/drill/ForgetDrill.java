package dev.caliber.bench.drill;

import dev.caliber.kernel.Chance;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.testkit.Engines;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Kills a process that forgets a subject, again and again. A reader then finds all records of the
 * subject or none, a second call erases what is left, and the other subject keeps its own.
 */
public final class ForgetDrill {
  private static final int ALL = ForgetWorker.TURNS + ForgetWorker.NOTES;
  private static final int LIMIT = 100;

  /** The killed process had the real time. */
  private static final Duration LATER = Duration.ofDays(36_500);

  private final DrillPlace place;
  private final Chance chance;

  private ForgetDrill(DrillPlace place, long seed) {
    this.place = place;
    this.chance = Chance.seeded(seed);
  }

  public static ForgetDrill sqlite(Path directory, long seed) {
    return new ForgetDrill(DrillPlace.sqlite(directory), seed);
  }

  /** In a schema of its own on this server. */
  public static ForgetDrill postgres(String url, long seed) {
    return new ForgetDrill(DrillPlace.postgres(Engines.postgres(url)), seed);
  }

  /**
   * What one blow did.
   *
   * @param seen how many records of the subject a reader found
   * @param left how many records of the subject were not erased yet
   * @param findings everything that is not as it must be
   */
  public record Report(int seen, int left, List<String> findings) {
    public Report {
      findings = List.copyOf(findings);
    }

    /** Whether the blow fell between the first commit and the last. */
    public boolean isHalfDone() {
      return seen == 0 && left > 0;
    }
  }

  /** One blow, at most so many readings of the clock after the process began to forget. */
  public Report round(int latest) {
    try (DrillChild child = DrillChild.start(place, ForgetWorker.class)) {
      child.killAfter(ForgetWorker.FORGETTING, 1, chance.nextInt(latest + 1));
    }
    ManualClock clock = new ManualClock();
    clock.set(ManualClock.START.plus(LATER));
    try (RecordStore store = place.open(clock)) {
      return look(store, ForgetWorker.memory(store, clock));
    }
  }

  private static Report look(RecordStore store, Memory memory) {
    List<String> findings = new ArrayList<>();
    int seen = seen(memory, ForgetWorker.ALICE);
    int left = stored(store, ForgetWorker.ALICE);
    int others = stored(store, ForgetWorker.BOB);
    if (seen != 0 && seen != ALL) {
      findings.add("a reader found %d of %d records".formatted(seen, ALL));
    }
    memory.forget(DrillPlace.SPACE, ForgetWorker.everythingOf(ForgetWorker.ALICE));
    if (stored(store, ForgetWorker.ALICE) != 0) {
      findings.add("a second call left records");
    }
    if (stored(store, ForgetWorker.BOB) != others) {
      findings.add("records of another subject are gone");
    }
    memory.forget(DrillPlace.SPACE, ForgetWorker.everythingOf(ForgetWorker.BOB));
    return new Report(seen, left, findings);
  }

  private static int seen(Memory memory, String subject) {
    RecallFilter own = RecallFilter.ofSubject(subject);
    return memory
        .recall(DrillPlace.SPACE, RecallQuery.of("key drawer turn " + subject, LIMIT).among(own))
        .hits()
        .size();
  }

  /** As they lie in the store, the hidden ones too. */
  private static int stored(RecordStore store, String subject) {
    return store.read(
        DrillPlace.SPACE,
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
