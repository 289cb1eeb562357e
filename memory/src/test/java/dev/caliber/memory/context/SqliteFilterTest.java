package dev.caliber.memory.context;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteFilterTest extends FilterContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.sqlite(directory);
  }
}
