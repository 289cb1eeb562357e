package dev.caliber.bench;

import dev.caliber.store.RecordStore;
import java.util.List;

/** Everything that {@code bench store} measures, engine by engine. */
final class StoreBench {

  private final int records;
  private final Knobs knobs;
  private final Places places;
  private final Progress progress;

  StoreBench(int records, Knobs knobs, Places places, Progress progress) {
    this.records = records;
    this.knobs = knobs;
    this.places = places;
    this.progress = progress;
  }

  void measure(Report report, List<EngineName> engines) {
    engines.forEach(engine -> measure(report, engine));
  }

  private void measure(Report report, EngineName engine) {
    String part = "%s, %,d records".formatted(engine.title(), records);
    progress.part(part);
    try (Rig.Pair pair =
        Rig.loadPair(places.fresh(engine), places.fresh(engine), records, progress)) {
      new AgainstRaw(pair, knobs, progress).measure(report, part);
      ManyWriters writers = new ManyWriters(pair.rig(), knobs, progress);
      if (engine == EngineName.SQLITE) {
        writers.measureSqlite(report, part, places.directory("flush"));
      } else {
        writers.measurePostgres(report, part);
      }
      measureFeed(report.section(part, "feed delivery"), pair.rig(), engine);
    }
  }

  private void measureFeed(Report.Section section, Rig rig, EngineName engine) {
    progress.part("feed delivery");
    FeedDelivery delivery = new FeedDelivery(rig, knobs);
    delivery.measure(section, "in the writer's process", rig.store());
    if (engine == EngineName.POSTGRES) {
      try (RecordStore other = rig.another()) {
        delivery.measure(section, "through another store", other);
      }
    }
  }
}
