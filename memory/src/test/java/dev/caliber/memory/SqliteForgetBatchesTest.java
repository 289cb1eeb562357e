package dev.caliber.memory;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteForgetBatchesTest extends ForgetBatchesContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.sqlite(directory);
  }
}
