package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The same reads on stores of several sizes: how much dearer they become. */
final class ScaleBench {

  private static final double MEDIAN = 0.5;
  private static final double GROWTH = 2;
  private static final long SEED = 7;

  private final List<Integer> sizes;
  private final Knobs knobs;
  private final Places places;
  private final Progress progress;
  private final Chance chance = Chance.seeded(SEED);

  /** Sizes go from the smallest to the largest. */
  ScaleBench(List<Integer> sizes, Knobs knobs, Places places, Progress progress) {
    this.sizes = List.copyOf(sizes);
    this.knobs = knobs;
    this.places = places;
    this.progress = progress;
  }

  void measure(Report report, List<EngineName> engines) {
    engines.forEach(engine -> measure(report, engine));
  }

  private void measure(Report report, EngineName engine) {
    Map<String, Rig> rigs = new LinkedHashMap<>();
    try {
      for (int size : sizes) {
        String name = "%,d records".formatted(size);
        progress.part(engine.title() + ", " + name);
        rigs.put(name, Rig.load(places.fresh(engine), size, progress));
      }
      String part = engine.title();
      compare(
          report.section(part, "point reads by size"),
          rigs,
          rig -> rig.ours().read(rig.entries().anyKey(chance)));
      compare(
          report.section(part, "scans of a session by size"),
          rigs,
          rig -> rig.ours().ofSession(rig.entries().anySession(chance), AgainstRaw.SCAN));
      compare(
          report.section(part, "scans of an author by size"),
          rigs,
          rig -> rig.ours().ofAuthor(rig.entries().anyAuthor(chance), AgainstRaw.SCAN));
    } finally {
      rigs.values().forEach(Rig::close);
    }
  }

  private void compare(Report.Section section, Map<String, Rig> rigs, Consumer<Rig> operation) {
    progress.part("reads by size");
    Contest contest = new Contest(Contest.FINE);
    rigs.forEach(
        (name, rig) -> contest.enter(name, time -> Load.alone(time, _ -> operation.accept(rig))));
    contest.run(knobs, progress);
    List<String> names = List.copyOf(rigs.keySet());
    for (String name : names) {
      Measured total = contest.total(name);
      section.add(name, total.perSecond(), Figure.Unit.PER_SECOND);
      section.add(name + ", p50", total.micros(MEDIAN), Figure.Unit.MICROS);
    }
    section.add(
        "growth from %s to %s".formatted(names.getFirst(), names.getLast()),
        contest.ratio(names.getFirst(), names.getLast()),
        Figure.Unit.RATIO,
        Figure.Bar.below(GROWTH));
  }
}
