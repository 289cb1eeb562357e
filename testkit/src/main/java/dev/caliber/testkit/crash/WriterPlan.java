package dev.caliber.testkit.crash;

import dev.caliber.kernel.Chance;
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
 * Everything that one writer does, derived from the seed alone: the writing process and the one
 * that checks afterwards agree on it without talking. A writer touches only rows of its own.
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
  private final Chance chance;
  private final NavigableMap<String, Mark> marks = new TreeMap<>();
  private final NavigableMap<String, Mark> echoes = new TreeMap<>();
  private final List<String> jobs = new ArrayList<>();
  private long counter;

  WriterPlan(long seed, int writer) {
    this.writer = writer;
    this.chance = Chance.seeded(seed + writer * WRITER_STEP);
  }

  static SpaceId spaceOf(int writer) {
    return new SpaceId("drill-" + writer % SPACES);
  }

  /** The next commit; afterwards the plan stands where the store has to stand after it. */
  Step next() {
    counter++;
    List<Step.Write> draft = new ArrayList<>();
    String head = Mark.headOf(writer);
    draft.add(
        new Step.Write(
            Mark.MARKS, mark(head), counter == 1 ? ChangeKind.CREATED : ChangeKind.UPDATED));
    int others = 1 + chance.nextInt(OTHERS_BOUND);
    for (int i = 0; i < others; i++) {
      draft.add(other(i, draft));
    }
    int parts = (int) draft.stream().filter(write -> write.kind() != ChangeKind.DELETED).count();
    List<Step.Write> writes = draft.stream().map(write -> counted(write, parts)).toList();
    writes.forEach(this::remember);
    Step step = new Step(writer, counter, writes, counter % JOB_EVERY == 0);
    if (step.job()) {
      jobs.add(step.payload());
    }
    return step;
  }

  /** Goes on to where a store stands that holds this many commits of the writer. */
  void skipTo(long commits) {
    while (counter < commits) {
      next();
    }
  }

  int writer() {
    return writer;
  }

  long counter() {
    return counter;
  }

  NavigableMap<String, Mark> live(Table<Mark> table) {
    return table.name().equals(Mark.MARKS.name()) ? marks : echoes;
  }

  List<String> jobs() {
    return jobs;
  }

  private Step.Write other(int position, List<Step.Write> before) {
    Table<Mark> table = chance.nextInt(2) == 0 ? Mark.MARKS : Mark.ECHOES;
    Optional<Mark> old = pick(live(table), before);
    double what = chance.nextDouble();
    if (old.isPresent() && what < DELETES) {
      return new Step.Write(table, old.get(), ChangeKind.DELETED);
    }
    if (old.isPresent() && what < UPDATES) {
      return new Step.Write(table, mark(old.get().id()), ChangeKind.UPDATED);
    }
    String id = "%02d-%08d-%d".formatted(writer, counter, position);
    return new Step.Write(table, mark(id), ChangeKind.CREATED);
  }

  /** A row of this writer that the commit has not touched yet. */
  private Optional<Mark> pick(NavigableMap<String, Mark> live, List<Step.Write> before) {
    List<Mark> free =
        live.values().stream()
            .filter(mark -> !mark.id().equals(Mark.headOf(writer)))
            .filter(mark -> before.stream().noneMatch(w -> w.mark().id().equals(mark.id())))
            .toList();
    return free.isEmpty() ? Optional.empty() : Optional.of(free.get(chance.nextInt(free.size())));
  }

  private Mark mark(String id) {
    int colour = chance.nextInt(COLOURS);
    Instant at = ManualClock.START.plusMillis(chance.nextInt(Integer.MAX_VALUE));
    return new Mark(
        id,
        writer,
        counter,
        0,
        colour == 0 ? Optional.empty() : Optional.of("colour-" + colour),
        chance.nextDouble(),
        chance.nextInt(2) == 0,
        at,
        "x".repeat(chance.nextInt(TEXT_BOUND)));
  }

  private static Step.Write counted(Step.Write write, int parts) {
    Mark m = write.mark();
    if (write.kind() == ChangeKind.DELETED) {
      return write;
    }
    Mark counted =
        new Mark(
            m.id(),
            m.writer(),
            m.counter(),
            parts,
            m.colour(),
            m.weight(),
            m.loud(),
            m.at(),
            m.text());
    return new Step.Write(write.table(), counted, write.kind());
  }

  private void remember(Step.Write write) {
    if (write.kind() == ChangeKind.DELETED) {
      live(write.table()).remove(write.mark().id());
    } else {
      live(write.table()).put(write.mark().id(), write.mark());
    }
  }
}
