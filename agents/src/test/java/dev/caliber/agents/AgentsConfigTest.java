package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class AgentsConfigTest {
  private static final String OTHER_VALUES =
      """
      [agents.heartbeats]
      timeout = "1s"
      batch = 2
      [agents.hierarchy]
      max-depth = 3
      [agents.leases]
      max-duration = "4s"
      queue-entry-timeout = "5s"
      max-holders = 6
      max-queue-length = 7
      deadlock-search-limit = 22
      agents-ahead-limit = 26
      [agents.messages]
      acknowledgement-timeout = "8s"
      max-deliveries = 9
      inbox-limit = 10
      batch = 11
      payload-limit = "12KiB"
      dead-letter-retention = "25s"
      [agents.work]
      items-limit = 13
      text-limit = "14KiB"
      conflict-search-tasks = 23
      conflict-search-records = 15
      resolved-conflict-retention = "27s"
      [agents.maintenance]
      interval = "16s"
      batch = 17
      page-size = 24
      list-limit = 18
      stuck-after = "19s"
      [agents.blocking-calls]
      max-wait = "20s"
      max-calls = 21
      """;

  @Test
  void theStarterFileSetsEveryKey() {
    Settings starter = settings(AgentsConfig.starterText());
    Settings complete = settings(OTHER_VALUES);
    AgentsConfig.from(starter);
    AgentsConfig.from(complete);
    starter.verify();
    assertThat(starter.keysRead()).isEqualTo(complete.keysRead()).isNotEmpty();
  }

  @Test
  void everyKeyReachesItsPlace() {
    Settings settings = settings(OTHER_VALUES);
    AgentsConfig config = AgentsConfig.from(settings);
    settings.verify();
    assertThat(config)
        .isEqualTo(
            new AgentsConfig(
                new AgentsConfig.HeartbeatSettings(Duration.ofSeconds(1), 2),
                new AgentsConfig.HierarchySettings(3),
                new AgentsConfig.LeaseSettings(
                    Duration.ofSeconds(4), Duration.ofSeconds(5), 6, 7, 22, 26),
                new AgentsConfig.MessageSettings(
                    Duration.ofSeconds(8),
                    9,
                    10,
                    11,
                    DataSize.parse("12KiB"),
                    Duration.ofSeconds(25)),
                new AgentsConfig.WorkSettings(
                    13, DataSize.parse("14KiB"), 23, 15, Duration.ofSeconds(27)),
                new AgentsConfig.MaintenanceSettings(
                    Duration.ofSeconds(16), 17, 24, 18, Duration.ofSeconds(19)),
                new AgentsConfig.BlockingCallSettings(Duration.ofSeconds(20), 21)));
  }

  @Test
  @DisplayName("ARC-02: every missing key of agents is named, all at once")
  void namesEveryMissingKey() {
    Settings settings =
        settings(OTHER_VALUES.replace("inbox-limit = 10\n", "").replace("max-depth = 3\n", ""));
    AgentsConfig.from(settings);
    assertThatThrownBy(settings::verify)
        .hasMessageContaining("agents.messages.inbox-limit")
        .hasMessageContaining("agents.hierarchy.max-depth");
  }

  private static Settings settings(String text) {
    return Settings.parse("caliber.toml", text);
  }
}
