package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** One writer, point reads and scans of 50 entries, each beside the same work by hand. */
final class AgainstRaw {

  static final int SCAN = 50;

  private static final double SHARE = 0.8;
  private static final double MEDIAN = 0.5;
  private static final double HIGH = 0.99;
  private static final int CHECKS = 20;
  private static final long SEED = 7;
  private static final String OURS = "Caliber";
  private static final String RAW = "raw JDBC";

  private final Rig.Pair pair;
  private final Knobs knobs;
  private final Progress progress;
  private final Chance chance = Chance.seeded(SEED);

  AgainstRaw(Rig.Pair pair, Knobs knobs, Progress progress) {
    this.pair = pair;
    this.knobs = knobs;
    this.progress = progress;
  }

  void measure(Report report, String part) {
    requireEqualSides();
    Entries entries = pair.rig().entries();
    compare(report.section(part, "one writer"), "commits", side -> side.commit(entries.next()));
    compare(
        report.section(part, "point reads"), "reads", side -> side.read(entries.anyKey(chance)));
    Report.Section scans = report.section(part, "scans of %d entries".formatted(SCAN));
    compare(scans, "of a session", side -> side.ofSession(entries.anySession(chance), SCAN));
    compare(scans, "of an author", side -> side.ofAuthor(entries.anyAuthor(chance), SCAN));
  }

  /** A comparison is fair only if both sides give the same answers. */
  private void requireEqualSides() {
    Entries entries = pair.rig().entries();
    for (int i = 0; i < CHECKS; i++) {
      Id key = entries.anyKey(chance);
      requireEqual(pair.rig().ours().read(key), pair.raw().read(key));
      String session = entries.anySession(chance);
      requireEqual(pair.rig().ours().ofSession(session, SCAN), pair.raw().ofSession(session, SCAN));
      String author = entries.anyAuthor(chance);
      requireEqual(pair.rig().ours().ofAuthor(author, SCAN), pair.raw().ofAuthor(author, SCAN));
    }
  }

  private static void requireEqual(Object ours, Object raw) {
    if (!ours.equals(raw)) {
      throw BenchException.sidesDiffer(ours, raw);
    }
  }

  private void compare(Report.Section section, String what, Consumer<Side> operation) {
    progress.part(what);
    Contest contest =
        new Contest(Contest.FINE)
            .enter(OURS, time -> run(pair.rig().ours(), operation, time))
            .enter(RAW, time -> run(pair.raw(), operation, time))
            .run(knobs, progress);
    for (String name : List.of(OURS, RAW)) {
      Measured total = contest.total(name);
      section.add(what + ", " + name, total.perSecond(), Figure.Unit.PER_SECOND);
      section.add(what + ", " + name + ", p50", total.micros(MEDIAN), Figure.Unit.MICROS);
      section.add(what + ", " + name + ", p99", total.micros(HIGH), Figure.Unit.MICROS);
    }
    section.add(
        what + ", Caliber to raw, by p50",
        contest.total(RAW).micros(MEDIAN) / contest.total(OURS).micros(MEDIAN),
        Figure.Unit.RATIO);
    section.add(
        what + ", Caliber to raw",
        contest.ratio(OURS, RAW),
        Figure.Unit.RATIO,
        Figure.Bar.atLeast(SHARE));
  }

  private static Measured run(Side side, Consumer<Side> operation, Duration time) {
    return Load.alone(time, _ -> operation.accept(side));
  }
}
