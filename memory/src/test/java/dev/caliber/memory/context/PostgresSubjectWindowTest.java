package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresSubjectWindowTest extends SubjectWindowContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresSubjectWindowTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
