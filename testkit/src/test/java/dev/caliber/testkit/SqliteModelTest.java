package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteModelTest extends ModelContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.sqlite(directory);
  }
}
