package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresSubjectWindowTest extends SubjectWindowContract {
  private final StoreConfig.PostgresSettings engine =
      TestEngines.postgres(PostgresSubjectWindowTest.class);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return engine;
  }
}
