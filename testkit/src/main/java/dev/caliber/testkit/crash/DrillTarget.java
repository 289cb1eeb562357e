package dev.caliber.testkit.crash;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.store.Durability;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Location of the drill's store, in a form that fits on a command line. */
record DrillTarget(String engine, String place, Durability durability, long seed) {

  private static final String SQLITE = "sqlite";
  private static final String POSTGRES = "postgres";
  private static final int SESSIONS = 4;
  private static final Duration PATIENCE_BOUND = Duration.ofSeconds(20);

  static DrillTarget sqlite(Path directory, Durability durability, long seed) {
    return new DrillTarget(SQLITE, directory.toString(), durability, seed);
  }

  static DrillTarget postgres(String url, Durability durability, long seed) {
    return new DrillTarget(POSTGRES, url, durability, seed);
  }

  static DrillTarget parse(String[] arguments) {
    return new DrillTarget(
        arguments[0], arguments[1], Durability.valueOf(arguments[2]), Long.parseLong(arguments[3]));
  }

  List<String> arguments() {
    return List.of(engine, place, durability.name(), Long.toString(seed));
  }

  RecordStore open(Clock clock, RandomSource randomSource) {
    StoreConfig config =
        StoreConfig.starter()
            .withEngine(engineConfig())
            .with("store.durability = '%s'".formatted(durability.name().toLowerCase(Locale.ROOT)));
    return Stores.open(config, DrillRecord.TABLES, clock, IdGenerator.of(clock, randomSource));
  }

  private StoreConfig.EngineSettings engineConfig() {
    if (engine.equals(SQLITE)) {
      return TestEngines.sqlite(Path.of(place));
    }
    return new StoreConfig.PostgresSettings(
        place,
        Optional.empty(),
        Optional.empty(),
        "drill_" + Long.toHexString(seed),
        SESSIONS,
        PATIENCE_BOUND,
        PATIENCE_BOUND,
        Duration.ofMillis(1));
  }
}
