package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresLinksTest extends LinksContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresLinksTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
