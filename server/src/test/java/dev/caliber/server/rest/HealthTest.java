package dev.caliber.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.testkit.TestEngines;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers of the readiness check. */
class HealthTest {
  @TempDir Path directory;

  @Test
  @DisplayName("a server is ready when its store answers, its model is loaded and it does not stop")
  void tellsWhatIsMissing() {
    Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    AtomicBoolean loaded = new AtomicBoolean();
    try (RecordStore store =
        Stores.open(
            StoreConfig.starter().withEngine(TestEngines.sqlite(directory)),
            List.of(),
            clock,
            IdGenerator.of(clock, RandomSource.seeded(1)))) {
      store.createSpace(SpaceId.DEFAULT);
      HealthEndpoint healthEndpoint = new HealthEndpoint(store, loaded::get);
      assertThat(healthEndpoint.readiness().waitingFor()).contains(List.of("embedding model"));
      assertThat(healthEndpoint.readiness().status()).isEqualTo("down");
      loaded.set(true);
      assertThat(healthEndpoint.readiness().status()).isEqualTo("up");
      healthEndpoint.close();
      assertThat(healthEndpoint.readiness().waitingFor()).contains(List.of("server"));
    }
  }
}
