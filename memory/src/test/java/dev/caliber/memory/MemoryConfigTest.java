package dev.caliber.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.settings.Settings;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.memory.text.TextAnalysisSettings;
import dev.caliber.store.BatchSize;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class MemoryConfigTest {
  private static final String OTHER_VALUES =
      """
      [memory.limits]
      turn = "2KiB"
      artifact = "3KiB"
      note = "4KiB"
      text = "5KiB"
      parts = 6
      batch = 7
      metadata = 8
      parent-depth = 9
      page-size = 10
      list = 11
      summary-sources = 12
      extracted-artifacts = 33
      [memory.summaries]
      sentences = 13
      sentence-length = 36
      redundancy = 0.14
      [memory.extraction-confidence]
      error = 0.15
      code-patch = 0.16
      decision = 0.17
      preference = 0.18
      constraint = 0.19
      fact = 0.34
      [memory.contradictions]
      overlap = 0.20
      [memory.merging]
      similarity = 0.21
      confidence-gain = 0.22
      candidates = 23
      [memory.extraction]
      from-turns = false
      [memory.consolidation]
      at-task-end = true
      batch = 36
      resume-after = "37s"
      [memory.retention]
      traces = "24s"
      notifications = "25s"
      tombstones = "26s"
      versions = "27s"
      max-summary-versions = 35
      expired-artifacts = "28s"
      interval = "29s"
      batch = 30
      batch-bytes = "38KiB"
      batch-time = "39ms"
      [memory.recall]
      max-limit = 31
      scan-candidates = 32
      min-similarity = 0.33
      """;

  @Test
  void theStarterFileSetsEveryKey() {
    Settings starter = settings(MemoryConfig.starterText());
    Settings complete = settings(OTHER_VALUES);
    MemoryConfig.from(starter);
    MemoryConfig.from(complete);
    starter.verify();
    assertThat(starter.keysRead()).isEqualTo(complete.keysRead()).isNotEmpty();
  }

  @Test
  void everyKeyReachesItsPlace() {
    Settings settings = settings(OTHER_VALUES);
    MemoryConfig config = MemoryConfig.from(settings);
    settings.verify();
    assertThat(config)
        .isEqualTo(
            new MemoryConfig(
                new MemoryConfig.MemoryLimits(
                    DataSize.parse("2KiB"),
                    DataSize.parse("3KiB"),
                    DataSize.parse("4KiB"),
                    DataSize.parse("5KiB"),
                    6,
                    7,
                    8,
                    9,
                    10,
                    11,
                    12,
                    33),
                new TextAnalysisSettings(
                    13,
                    Optional.of(36),
                    0.14,
                    Map.of(
                        FindingKind.ERROR,
                        0.15,
                        FindingKind.CODE_PATCH,
                        0.16,
                        FindingKind.DECISION,
                        0.17,
                        FindingKind.PREFERENCE,
                        0.18,
                        FindingKind.CONSTRAINT,
                        0.19,
                        FindingKind.FACT,
                        0.34),
                    0.20),
                new MemoryConfig.NoteSettings(
                    0.21,
                    0.22,
                    23,
                    false,
                    new MemoryConfig.ConsolidationSettings(true, 36, Duration.ofSeconds(37))),
                new MemoryConfig.RetentionSettings(
                    Duration.ofSeconds(24),
                    Duration.ofSeconds(25),
                    Duration.ofSeconds(26),
                    Duration.ofSeconds(27),
                    35,
                    Duration.ofSeconds(28),
                    Duration.ofSeconds(29),
                    new BatchSize.BatchLimits(30, DataSize.parse("38KiB"), Duration.ofMillis(39))),
                new MemoryConfig.RecallSearchSettings(31, 32, 0.33)));
  }

  @Test
  @DisplayName("ARC-02: every missing key of memory is named, all at once")
  void namesEveryMissingKey() {
    Settings settings =
        settings(OTHER_VALUES.replace("similarity = 0.21\n", "").replace("batch = 30\n", ""));
    MemoryConfig.from(settings);
    assertThatThrownBy(settings::verify)
        .hasMessageContaining("memory.merging.similarity")
        .hasMessageContaining("memory.retention.batch");
  }

  @Test
  void theStarterFilesOfTheRoomsMakeOneFile() {
    Settings both = settings(MemoryConfig.starterText() + "\n" + RuntimeConfig.starterText());
    MemoryConfig.from(both);
    RuntimeConfig.from(both);
    both.verify();
  }

  private static Settings settings(String text) {
    return Settings.parse("caliber.toml", text);
  }
}
