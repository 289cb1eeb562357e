package dev.caliber.memory.pcp;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteRecoveryTest extends RecoveryContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.sqlite(directory);
  }
}
