package dev.caliber.agents;

import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SqliteAgentRefusalTest extends AgentRefusalContract {
  @TempDir Path directory;

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.sqlite(directory);
  }
}
