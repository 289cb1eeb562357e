package dev.caliber.langchain4j;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresChatMemoryStoreTest extends ChatMemoryStoreContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresChatMemoryStoreTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
