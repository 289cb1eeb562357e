package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Everything that {@code bench memory} measures of Caliber, engine by engine. */
final class MemoryBench {

  static final int READ = 50;

  private static final int WRITERS = 16;
  private static final double SHARE = 0.7;
  private static final double GROWTH = 2;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final long SEED = 7;
  private static final String TURN = "turns appended";
  private static final String COMMIT = "the store's own commits";

  private final Knobs knobs;
  private final Places places;
  private final Progress progress;

  MemoryBench(Knobs knobs, Places places, Progress progress) {
    this.knobs = knobs;
    this.places = places;
    this.progress = progress;
  }

  void measure(Report report, EngineName engine, MemorySize size) {
    try (MemoryRig rig = new MemoryRig(places.fresh(engine))) {
      append(report.section(engine.title(), "one writer"), rig, 1);
      append(report.section(engine.title(), "16 writers"), rig, WRITERS);
      artifacts(report.section(engine.title(), "artifacts"), rig);
    }
    grow(report, engine, size);
  }

  /** Each writer has a trajectory of its own, and so has each commit of the store. */
  private void append(Report.Section section, MemoryRig rig, int writers) {
    progress.part("%d writers".formatted(writers));
    List<Id> scopes = IntStream.range(0, writers).mapToObj(_ -> rig.newScope()).toList();
    Contest contest =
        new Contest(writers == 1 ? Contest.FINE : Contest.COARSE)
            .enter(
                TURN,
                time -> Load.together(writers, time, worker -> rig.append(scopes.get(worker))))
            .enter(COMMIT, time -> Load.together(writers, time, _ -> rig.commit()))
            .run(knobs, progress);
    for (String name : List.of(TURN, COMMIT)) {
      rates(section, name, contest);
    }
    section.add(
        "turns to the store's own commits",
        contest.ratio(TURN, COMMIT),
        Figure.Unit.RATIO,
        Figure.Bar.atLeast(SHARE));
  }

  private void artifacts(Report.Section section, MemoryRig rig) {
    progress.part("artifacts");
    Id scope = rig.newScope();
    String known = rig.newText();
    rig.makeArtifact(scope, known);
    String hit = "content that is there";
    String miss = "new content";
    Contest contest =
        new Contest(Contest.FINE)
            .enter(hit, time -> Load.alone(time, _ -> rig.makeArtifact(scope, known)))
            .enter(miss, time -> Load.alone(time, _ -> rig.makeArtifact(scope, rig.newText())))
            .run(knobs, progress);
    rates(section, hit, contest);
    rates(section, miss, contest);
  }

  /** A small memory and the whole one are measured by turns, so that time hits both alike. */
  private void grow(Report report, EngineName engine, MemorySize size) {
    MemorySize first = size.start();
    String part =
        "%s, %,d turns in %,d trajectories"
            .formatted(engine.title(), size.turns(), size.trajectories());
    progress.part(part);
    try (MemoryRig start = new MemoryRig(places.fresh(engine)).load(first, progress).reopened();
        MemoryRig end = new MemoryRig(places.fresh(engine)).load(size, progress).reopened()) {
      Report.Section section = report.section(part, "growth");
      bytes(section, end, size);
      Chance chance = Chance.seeded(SEED);
      compare(
          section,
          "append",
          time -> appends(start, chance, time),
          time -> appends(end, chance, time));
      compare(
          section,
          "read of %d turns".formatted(READ),
          time -> reads(start, chance, time),
          time -> reads(end, chance, time));
    }
  }

  private static void bytes(Report.Section section, MemoryRig rig, MemorySize size) {
    rig.bytes()
        .ifPresent(
            bytes -> {
              section.add("bytes of text of a turn", rig.turnBytes(), Figure.Unit.COUNT);
              section.add(
                  "bytes on disk per turn", (double) bytes / size.turns(), Figure.Unit.COUNT);
            });
  }

  private static Measured appends(MemoryRig rig, Chance chance, Duration time) {
    return Load.alone(time, _ -> rig.appendToAny(chance));
  }

  private static Measured reads(MemoryRig rig, Chance chance, Duration time) {
    return Load.alone(time, _ -> rig.readAny(chance, READ));
  }

  /** What a contender does with its time. */
  private interface Timed extends java.util.function.Function<Duration, Measured> {}

  private void compare(Report.Section section, String what, Timed start, Timed end) {
    progress.part(what);
    String small = what + ", at the start";
    String large = what + ", at the end";
    Contest contest =
        new Contest(Contest.FINE).enter(small, start).enter(large, end).run(knobs, progress);
    rates(section, small, contest);
    rates(section, large, contest);
    section.add(
        what + ", cost at the end to the start",
        contest.ratio(small, large),
        Figure.Unit.RATIO,
        Figure.Bar.below(GROWTH));
  }

  static void rates(Report.Section section, String name, Contest contest) {
    Measured total = contest.total(name);
    section.add(name, total.perSecond(), Figure.Unit.PER_SECOND);
    section.add(name + ", p50", total.micros(MEDIAN), Figure.Unit.MICROS);
    section.add(name + ", p99", total.micros(HIGH), Figure.Unit.MICROS);
  }
}
