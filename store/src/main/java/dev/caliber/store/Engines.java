package dev.caliber.store;

/** Opens the engine that a configuration names. */
final class Engines {

  private Engines() {}

  static Engine open(StoreConfig config) {
    return switch (config.engine()) {
      case StoreConfig.Sqlite sqlite -> SqliteEngine.open(sqlite, config.durability());
      case StoreConfig.InMemory memory -> SqliteEngine.inMemory(memory);
      case StoreConfig.Postgres postgres -> PostgresEngine.open(postgres, config.durability());
    };
  }
}
