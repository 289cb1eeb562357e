package dev.caliber.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.DataSize;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class StoreConfigTest {
  @Test
  void theEngineIsSelectedByItsName() {
    StoreConfig starter = StoreConfig.starter();
    assertThat(starter.with("store.engine = 'sqlite'").engine()).isEqualTo(starter.engine());
    assertThat(
            starter.with("store.engine = 'memory'", "store.sqlite.writer-cache = '2MiB'").engine())
        .isEqualTo(new StoreConfig.InMemorySettings(DataSize.parse("2MiB")));
    assertThat(
            starter
                .with("store.engine = 'postgres'", "store.postgres.password-variable = ''")
                .engine())
        .isInstanceOfSatisfying(
            StoreConfig.PostgresSettings.class,
            postgres -> {
              assertThat(postgres.user()).contains("caliber");
              assertThat(postgres.passwordVariable()).isEmpty();
            });
  }

  @Test
  @DisplayName("overrides change what they name, in settings that were changed before")
  void overridesKeepTheRest() {
    StoreConfig.EngineSettings engine = new StoreConfig.InMemorySettings(DataSize.parse("3MiB"));
    StoreConfig config = StoreConfig.starter().withEngine(engine).with("store.jobs.backoff = '5s'");
    assertThat(config.engine()).isEqualTo(engine);
    assertThat(config.with("store.durability = 'relaxed'").jobs().backoff())
        .isEqualTo(Duration.ofSeconds(5));
  }
}
