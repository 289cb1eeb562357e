package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresSearchTruthTest extends SearchTruthContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresSearchTruthTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
