package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteImportTest extends ImportContract {
  @TempDir Path directory;
  private int places;

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.sqlite(directory.resolve("main"));
  }

  @Override
  protected StoreConfig.EngineConfig otherPlace() {
    return Engines.sqlite(directory.resolve("other-" + places++));
  }

  @Override
  protected void raw(String sql) {
    RawSql.sqlite(directory.resolve("main/caliber.db"), sql);
  }
}
