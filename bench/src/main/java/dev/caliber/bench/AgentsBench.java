package dev.caliber.bench;

import dev.caliber.kernel.Durations;
import java.time.Duration;
import java.util.List;

/** Everything that {@code bench agents} measures, engine by engine. */
final class AgentsBench {

  private static final List<Integer> CROWDS = List.of(1, 16, 256);
  private static final double THOUSANDTH = 1e-3;
  private static final double MEDIAN = 0.5;

  /** So often an agent is heard of while it is waited for: two signs of life may get lost. */
  private static final int BEATS_IN_GRACE = 3;

  private static final String LEASES = "leases acquired or released";
  private static final String MAIL = "messages sent, taken or acknowledged";
  private static final String QUEUE = "wishes for one resource, granted, kept waiting or ended";
  private static final String TURNS = "turns at that resource";
  private static final String TYPE_MAIL = "messages to a type sent, taken or acknowledged";
  private static final String COMMITS = "the store's own commits";

  private final Knobs knobs;
  private final Places places;
  private final Progress progress;

  AgentsBench(Knobs knobs, Places places, Progress progress) {
    this.knobs = knobs;
    this.places = places;
    this.progress = progress;
  }

  void measure(Report report, EngineName engine, int registered) {
    for (int crowd : CROWDS) {
      progress.part("%s, %d agents".formatted(engine.title(), crowd));
      try (AgentsRig rig = new AgentsRig(places.fresh(engine), crowd, progress).withMembers()) {
        String name = crowd == 1 ? "one agent" : crowd + " agents";
        work(report.section(engine.title(), name), rig, crowd);
      }
    }
    progress.part("%s, %,d registered agents".formatted(engine.title(), registered));
    try (AgentsRig rig = new AgentsRig(places.fresh(engine), registered, progress)) {
      heartbeats(
          report.section(engine.title(), "%,d registered agents".formatted(registered)),
          rig,
          registered);
    }
  }

  /**
   * Each agent has its own file and its own inbox, and then all of them want one file and share one
   * inbox; every operation is one commit.
   */
  private void work(Report.Section section, AgentsRig rig, int crowd) {
    Contest contest =
        new Contest(crowd == 1 ? Contest.FINE : Contest.COARSE)
            .enter(LEASES, time -> Load.together(crowd, time, rig::lease))
            .enter(MAIL, time -> Load.together(crowd, time, rig::mail))
            .enter(QUEUE, time -> Load.together(crowd, time, rig::queue))
            .enter(TYPE_MAIL, time -> Load.together(crowd, time, rig::typeMail))
            .enter(COMMITS, time -> Load.together(crowd, time, _ -> rig.commit()))
            .run(knobs, progress);
    for (String name : List.of(LEASES, MAIL, QUEUE, TYPE_MAIL, COMMITS)) {
      MemoryBench.rates(section, name, contest);
    }
    section.add(
        "leases to the store's own commits", contest.ratio(LEASES, COMMITS), Figure.Unit.RATIO);
    section.add(
        "messages to the store's own commits", contest.ratio(MAIL, COMMITS), Figure.Unit.RATIO);
    section.add(
        "wishes for one resource to the store's own commits",
        contest.ratio(QUEUE, COMMITS),
        Figure.Unit.RATIO);
    section.add(
        "messages to a type to the store's own commits",
        contest.ratio(TYPE_MAIL, COMMITS),
        Figure.Unit.RATIO);
    section.add(
        TURNS, contest.total(QUEUE).perSecond() * rig.grantedShare(), Figure.Unit.PER_SECOND);
  }

  private void heartbeats(Report.Section section, AgentsRig rig, int registered) {
    String beat = "a sign of life of everybody";
    String look = "a look for those who are silent";
    Contest contest =
        new Contest(Contest.COARSE)
            .enter(beat, time -> Load.alone(time, _ -> rig.beat()))
            .enter(look, time -> Load.alone(time, _ -> rig.tend()))
            .run(knobs, progress);
    double millis = contest.total(beat).micros(MEDIAN) * THOUSANDTH;
    section.add(beat + ", p50", millis, Figure.Unit.MILLIS);
    section.add("signs of life", registered / (millis * THOUSANDTH), Figure.Unit.PER_SECOND);
    double looking = contest.total(look).micros(MEDIAN);
    section.add(look + ", p50", looking, Figure.Unit.MICROS);
    Duration every = rig.config().heartbeats().grace().dividedBy(BEATS_IN_GRACE);
    Duration again = rig.config().tending().interval();
    section.add(
        "of each second of the store's time to write, a sign of life every %s and a look every %s"
            .formatted(Durations.format(every), Durations.format(again)),
        perSecond(millis, every) + perSecond(looking * THOUSANDTH, again),
        Figure.Unit.MILLIS);
  }

  /** What something takes of each second that comes once in a while. */
  private static double perSecond(double millis, Duration every) {
    return millis / (every.toMillis() * THOUSANDTH);
  }
}
