package dev.caliber.langchain4j;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresChatMemoryStoreTest extends ChatMemoryStoreContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresChatMemoryStoreTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
