package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteLearningTest extends LearningContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.sqlite(directory);
  }
}
