package dev.caliber.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.testkit.Engines;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told about whether requests are taken. */
class HealthTest {
  @TempDir Path directory;

  @Test
  @DisplayName("a server is ready when its store answers, its model is loaded and it does not stop")
  void tellsWhatIsMissing() {
    Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    AtomicBoolean loaded = new AtomicBoolean();
    try (RecordStore store =
        RecordStore.open(
            StoreConfig.starter().withEngine(Engines.sqlite(directory)),
            List.of(),
            clock,
            Ids.of(clock, Chance.seeded(1)))) {
      store.createSpace(SpaceId.DEFAULT);
      Health health = new Health(store, loaded::get);
      assertThat(health.ready().waitingFor()).contains(List.of("embedding model"));
      assertThat(health.ready().status()).isEqualTo("down");
      loaded.set(true);
      assertThat(health.ready().status()).isEqualTo("up");
      health.close();
      assertThat(health.ready().waitingFor()).contains(List.of("server"));
    }
  }
}
