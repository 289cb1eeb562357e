package dev.caliber.bench;

import dev.caliber.kernel.SpaceId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sixteen writers beside one: what group commit gains, and what waiting for a turn costs. */
final class ManyWriters {

  private static final int WRITERS = 16;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final String ONE = "1 writer";
  private static final String MANY = "16 writers";
  private static final String SPREAD = "16 writers, 16 spaces";
  private static final String DISK_ONE = "the disk's flushes, 1 thread";
  private static final String DISK_MANY = "the disk's flushes, 16 threads";

  private static final double SQLITE_GAIN = 1.8;
  private static final double SQLITE_SHARE_OF_DISK = 0.25;
  private static final double SQLITE_HIGH_MILLIS = 10;
  private static final double SQLITE_STALL_MILLIS = 300;
  private static final double POSTGRES_GAIN = 2;
  private static final double POSTGRES_SPREAD_GAIN = 3;

  private final Rig rig;
  private final Knobs knobs;
  private final Progress progress;

  ManyWriters(Rig rig, Knobs knobs, Progress progress) {
    this.rig = rig;
    this.knobs = knobs;
    this.progress = progress;
  }

  void measureSqlite(Report report, String part, Path directory) {
    progress.part(MANY);
    try (DiskFlush disk = new DiskFlush(directory, WRITERS)) {
      Contest contest =
          new Contest(Contest.COARSE)
              .enter(ONE, time -> commits(1, time))
              .enter(MANY, time -> commits(WRITERS, time))
              .enter(DISK_ONE, time -> Load.together(1, time, disk))
              .enter(DISK_MANY, time -> Load.together(WRITERS, time, disk))
              .run(knobs, progress);
      Report.Section section = report.section(part, MANY);
      addRates(section, contest, List.of(ONE, MANY, DISK_ONE, DISK_MANY));
      section.add(
          "16 writers to 1 writer",
          contest.ratio(MANY, ONE),
          Figure.Unit.RATIO,
          Figure.Bar.atLeast(SQLITE_GAIN));
      section.add(
          "16 writers to the disk's flushes with 16 threads",
          contest.ratio(MANY, DISK_MANY),
          Figure.Unit.RATIO,
          Figure.Bar.atLeast(SQLITE_SHARE_OF_DISK));
      Measured many = contest.total(MANY);
      section.add("16 writers, p50", many.millis(MEDIAN), Figure.Unit.MILLIS);
      section.add(
          "16 writers, p99",
          many.millis(HIGH),
          Figure.Unit.MILLIS,
          Figure.Bar.below(SQLITE_HIGH_MILLIS));
      section.add(
          "16 writers, longest commit",
          many.millis(1),
          Figure.Unit.MILLIS,
          Figure.Bar.below(SQLITE_STALL_MILLIS));
    }
  }

  void measurePostgres(Report report, String part) {
    progress.part(MANY);
    List<CaliberSide> spaces = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      spaces.add(rig.inSpace(new SpaceId("bench-" + i)));
    }
    Contest contest =
        new Contest(Contest.COARSE)
            .enter(ONE, time -> commits(1, time))
            .enter(MANY, time -> commits(WRITERS, time))
            .enter(
                SPREAD,
                time ->
                    Load.together(
                        WRITERS, time, worker -> spaces.get(worker).commit(rig.entries().next())))
            .run(knobs, progress);
    Report.Section section = report.section(part, MANY);
    addRates(section, contest, List.of(ONE, MANY, SPREAD));
    section.add(
        "16 writers to 1 writer",
        contest.ratio(MANY, ONE),
        Figure.Unit.RATIO,
        Figure.Bar.atLeast(POSTGRES_GAIN));
    section.add(
        "16 writers in 16 spaces to 1 writer",
        contest.ratio(SPREAD, ONE),
        Figure.Unit.RATIO,
        Figure.Bar.atLeast(POSTGRES_SPREAD_GAIN));
    for (String name : List.of(MANY, SPREAD)) {
      Measured many = contest.total(name);
      section.add(name + ", p50", many.millis(MEDIAN), Figure.Unit.MILLIS);
      section.add(name + ", p99", many.millis(HIGH), Figure.Unit.MILLIS);
      section.add(name + ", longest commit", many.millis(1), Figure.Unit.MILLIS);
    }
  }

  private Measured commits(int writers, Duration time) {
    return Load.together(writers, time, _ -> rig.ours().commit(rig.entries().next()));
  }

  private static void addRates(Report.Section section, Contest contest, List<String> names) {
    names.forEach(
        name -> section.add(name, contest.total(name).perSecond(), Figure.Unit.PER_SECOND));
  }
}
