package dev.caliber.testkit;

import dev.caliber.store.StoreConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteImportTest extends ImportContract {
  @TempDir Path directory;
  private int places;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.sqlite(directory.resolve("main"));
  }

  @Override
  protected StoreConfig.EngineSettings otherEngine() {
    return TestEngines.sqlite(directory.resolve("other-" + places++));
  }

  @Override
  protected void executeRawSql(String sql) {
    RawSql.executeSqlite(directory.resolve("main/caliber.db"), sql);
  }
}
