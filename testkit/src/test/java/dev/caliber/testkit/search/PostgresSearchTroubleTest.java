package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresSearchTroubleTest extends SearchFaultContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresSearchTroubleTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
