package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteModelTest extends RandomWriteContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.sqlite(directory);
  }
}
