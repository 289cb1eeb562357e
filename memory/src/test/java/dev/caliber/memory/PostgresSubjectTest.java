package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import org.junit.jupiter.api.Tag;

@Tag("postgres")
final class PostgresSubjectTest extends SubjectContract {
  private final StoreConfig.Postgres engine = Engines.postgres(PostgresSubjectTest.class);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }
}
