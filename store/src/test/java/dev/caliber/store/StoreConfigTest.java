package dev.caliber.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class StoreConfigTest {

  private static final String OTHER_VALUES =
      """
      [store]
      engine = "postgres"
      durability = "relaxed"
      [store.writes]
      group-limit = 7
      queue-limit = 8
      time-limit = "9s"
      record-limit = "10KiB"
      changes-limit = 11
      [store.reads]
      connections = 12
      queue-timeout = "13s"
      page-limit = 14
      scan-limit = 15
      [store.feed]
      retention = "16s"
      follower-expiry = "17s"
      trim-interval = "34s"
      page-limit = 18
      poll-interval = "19s"
      [store.jobs]
      concurrency = 20
      lease-duration = "21s"
      attempts-limit = 22
      backoff = "23s"
      backoff-limit = "24s"
      retry-after-limit = "36s"
      poll-interval = "25s"
      [store.doctor]
      free-disk-share = 0.34
      free-disk = "35KiB"
      [store.sqlite]
      directory = "elsewhere"
      writer-cache = "26MiB"
      reader-cache = "27MiB"
      checkpoint-pages = 28
      checkpoint-interval = "29s"
      [store.postgres]
      url = "jdbc:postgresql://db/x"
      user = "someone"
      password-variable = ""
      schema = "memory"
      write-connections = 30
      connect-timeout = "31s"
      statement-timeout = "32s"
      notify-interval = "33ms"
      """;

  @Test
  void theStarterFileSetsEveryKey() {
    Settings starter = settings(StoreConfig.starterText());
    Settings complete = settings(OTHER_VALUES);
    StoreConfig.from(starter);
    StoreConfig.from(complete);
    starter.verify();
    assertThat(starter.keysRead()).isEqualTo(complete.keysRead()).isNotEmpty();
  }

  @Test
  void everyKeyReachesItsPlace() {
    Settings settings = settings(OTHER_VALUES);
    StoreConfig config = StoreConfig.from(settings);
    settings.verify();
    assertThat(config)
        .isEqualTo(
            new StoreConfig(
                new StoreConfig.PostgresSettings(
                    "jdbc:postgresql://db/x",
                    Optional.of("someone"),
                    Optional.empty(),
                    "memory",
                    30,
                    Duration.ofSeconds(31),
                    Duration.ofSeconds(32),
                    Duration.ofMillis(33)),
                Durability.RELAXED,
                new StoreConfig.WriteSettings(
                    7, 8, Duration.ofSeconds(9), DataSize.parse("10KiB"), 11),
                new StoreConfig.ReadSettings(12, Duration.ofSeconds(13), 14, 15),
                new StoreConfig.FeedSettings(
                    Duration.ofSeconds(16),
                    Duration.ofSeconds(17),
                    Duration.ofSeconds(34),
                    18,
                    Duration.ofSeconds(19)),
                new StoreConfig.JobSettings(
                    20,
                    Duration.ofSeconds(21),
                    22,
                    Duration.ofSeconds(23),
                    Duration.ofSeconds(24),
                    Duration.ofSeconds(36),
                    Duration.ofSeconds(25)),
                new StoreConfig.DoctorSettings(0.34, DataSize.parse("35KiB"))));
    StoreConfig sqlite =
        StoreConfig.from(settings(OTHER_VALUES.replace("\"postgres\"", "\"sqlite\"")));
    assertThat(sqlite.engine())
        .isEqualTo(
            new StoreConfig.SqliteSettings(
                Path.of("elsewhere"),
                DataSize.parse("26MiB"),
                DataSize.parse("27MiB"),
                28,
                Duration.ofSeconds(29)));
    StoreConfig memory =
        StoreConfig.from(settings(OTHER_VALUES.replace("\"postgres\"", "\"memory\"")));
    assertThat(memory.engine())
        .isEqualTo(new StoreConfig.InMemorySettings(DataSize.parse("26MiB")));
  }

  @Test
  @DisplayName("ARC-02: every missing key of the store is named, all at once")
  void namesEveryMissingKey() {
    Settings settings =
        settings(
            OTHER_VALUES
                .replace("group-limit = 7\n", "")
                .replace("lease-duration = \"21s\"\n", ""));
    StoreConfig.from(settings);
    assertThatThrownBy(settings::verify)
        .isInstanceOfSatisfying(
            CaliberException.class,
            e -> assertThat(e.code()).isEqualTo(KernelErrorCode.MULTIPLE_ERRORS))
        .hasMessageContaining("store.writes.group-limit")
        .hasMessageContaining("store.jobs.lease-duration");
  }

  private static Settings settings(String text) {
    return Settings.parse("caliber.toml", text);
  }
}
