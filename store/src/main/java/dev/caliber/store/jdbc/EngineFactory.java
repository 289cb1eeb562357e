package dev.caliber.store.jdbc;

import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.postgres.PostgresEngine;
import dev.caliber.store.jdbc.sql.Engine;
import dev.caliber.store.jdbc.sqlite.SqliteEngine;

/** Factory of the engine that a configuration selects. */
final class EngineFactory {

  private EngineFactory() {}

  static Engine open(StoreConfig config) {
    return switch (config.engine()) {
      case StoreConfig.SqliteSettings sqliteSettings ->
          SqliteEngine.open(sqliteSettings, config.durability());
      case StoreConfig.InMemorySettings memory -> SqliteEngine.inMemory(memory);
      case StoreConfig.PostgresSettings postgresSettings ->
          PostgresEngine.open(postgresSettings, config.durability());
    };
  }
}
