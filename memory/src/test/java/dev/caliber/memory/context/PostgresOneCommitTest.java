package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresOneCommitTest extends OneCommitContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresOneCommitTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
