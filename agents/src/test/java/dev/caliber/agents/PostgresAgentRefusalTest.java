package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresAgentRefusalTest extends AgentRefusalContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresAgentRefusalTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
