package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresAssemblyTest extends AssemblyContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresAssemblyTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
