package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresSearchTruthTest extends SearchConsistencyContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresSearchTruthTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
