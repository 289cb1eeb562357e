package dev.caliber.testkit.search;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteSearchTroubleTest extends SearchTroubleContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.sqlite(directory);
  }
}
