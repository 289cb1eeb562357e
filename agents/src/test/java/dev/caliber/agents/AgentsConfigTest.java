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
      grace = "1s"
      batch = 2
      line = 3
      [agents.leases]
      longest = "4s"
      place = "5s"
      holders = 6
      queue = 7
      search = 22
      named = 26
      [agents.mail]
      acknowledgement = "8s"
      deliveries = 9
      inbox = 10
      batch = 11
      payload = "12KiB"
      dead-letters = "25s"
      [agents.work]
      items = 13
      text = "14KiB"
      tasks = 23
      compared = 15
      resolved = "27s"
      [agents.tending]
      interval = "16s"
      batch = 17
      page = 24
      list = 18
      stuck-after = "19s"
      [agents.awaiting]
      longest = "20s"
      places = 21
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
                new AgentsConfig.Heartbeats(Duration.ofSeconds(1), 2, 3),
                new AgentsConfig.LeaseRules(
                    Duration.ofSeconds(4), Duration.ofSeconds(5), 6, 7, 22, 26),
                new AgentsConfig.Mail(
                    Duration.ofSeconds(8),
                    9,
                    10,
                    11,
                    DataSize.parse("12KiB"),
                    Duration.ofSeconds(25)),
                new AgentsConfig.Work(13, DataSize.parse("14KiB"), 23, 15, Duration.ofSeconds(27)),
                new AgentsConfig.Tending(
                    Duration.ofSeconds(16), 17, 24, 18, Duration.ofSeconds(19)),
                new AgentsConfig.Awaiting(Duration.ofSeconds(20), 21)));
  }

  @Test
  @DisplayName("ARC-02: every missing key of agents is named, all at once")
  void namesEveryMissingKey() {
    Settings settings =
        settings(OTHER_VALUES.replace("inbox = 10\n", "").replace("line = 3\n", ""));
    AgentsConfig.from(settings);
    assertThatThrownBy(settings::verify)
        .hasMessageContaining("agents.mail.inbox")
        .hasMessageContaining("agents.heartbeats.line");
  }

  private static Settings settings(String text) {
    return Settings.parse("caliber.toml", text);
  }
}
