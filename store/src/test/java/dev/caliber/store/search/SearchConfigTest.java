package dev.caliber.store.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class SearchConfigTest {

  private static final String OTHER_VALUES =
      """
      [search]
      directory = "elsewhere"
      wait = "1s"
      limit-max = 2
      migration = "command"
      [search.analysis]
      stemmer = "k-stem"
      stop-words = ["x"]
      [search.lexical]
      k1 = 0.3
      b = 0.4
      body-weight = 5
      title-weight = 6
      speaker-weight = 7
      [search.dense]
      metric = "l2"
      index = "exact"
      hnsw-m = 8
      hnsw-ef-construction = 9
      hnsw-ef-search = 10
      exact-below = 11
      exact-filtered = 12
      graph-from = 13
      [search.chunks]
      characters = 16
      overlap = 15
      limit = 17
      [search.ranking]
      word-lift = 0.18
      neighbour-lift = 0.43
      standalone-lift = 0.44
      candidates = 19
      lexical = 1
      dense = 2
      neighbourhood = 3
      session = 4
      links = 10
      speaker = 7
      period = 8
      statement = 9
      time = 5
      trust = 6
      window = 20
      decay = 0.21
      session-best = 22
      link-hops = 2
      link-limit = 38
      half-life = "23s"
      [search.reading]
      question-words = ["q"]
      asker-words = ["w"]
      asker = "me"
      embeds-names = true
      period-grace = "33s"
      period-grace-share = 0.34
      asking-length = 35
      answer-lift = 0.36
      [search.follow]
      threads = 24
      merge-threads = 25
      gather = "40ms"
      commits = 26
      records = 27
      buffer = "28MiB"
      interval = "29s"
      open-indexes = 30
      [search.embedding]
      batch = 30
      documents = 31
      within-search = 42
      queries = 39
      query-pause = "33s"
      retention = "32s"
      cache-retention = "41s"
      """;

  @Test
  void theStarterFileSetsEveryKey() {
    Settings starter = settings(SearchConfig.starterText());
    Settings complete = settings(OTHER_VALUES);
    SearchConfig.from(starter);
    SearchConfig.from(complete);
    starter.verify();
    complete.verify();
    assertThat(starter.keysRead()).isEqualTo(complete.keysRead()).isNotEmpty();
  }

  @Test
  @DisplayName("VEC-01: dimensions come from the model; index, metric and graph are settings")
  void everyKeyReachesItsPlace() {
    SearchConfig config = SearchConfig.from(settings(OTHER_VALUES));
    assertThat(config)
        .isEqualTo(
            new SearchConfig(
                new SearchConfig.General(
                    Path.of("elsewhere"), Duration.ofSeconds(1), 2, SearchConfig.Migration.COMMAND),
                new SearchConfig.Analysis(SearchConfig.Stemmer.K_STEM, List.of("x")),
                new SearchConfig.Lexical(0.3, 0.4, 5, 6, 7),
                new SearchConfig.Dense(
                    SearchConfig.Metric.L2, SearchConfig.VectorIndex.EXACT, 8, 9, 10, 11, 12, 13),
                new SearchConfig.Chunks(16, 15, 17),
                new SearchConfig.Ranking(
                    0.18,
                    0.43,
                    0.44,
                    19,
                    Map.of(
                        Channel.LEXICAL, 1.0,
                        Channel.DENSE, 2.0,
                        Channel.NEIGHBOURHOOD, 3.0,
                        Channel.SESSION, 4.0,
                        Channel.LINKS, 10.0,
                        Channel.SPEAKER, 7.0,
                        Channel.PERIOD, 8.0,
                        Channel.STATEMENT, 9.0,
                        Channel.TIME, 5.0,
                        Channel.TRUST, 6.0),
                    20,
                    0.21,
                    22,
                    2,
                    38,
                    Duration.ofSeconds(23)),
                new SearchConfig.Reading(
                    List.of("q"), List.of("w"), "me", true, Duration.ofSeconds(33), 0.34, 35, 0.36),
                new SearchConfig.Follow(
                    24,
                    25,
                    Duration.ofMillis(40),
                    26,
                    27,
                    DataSize.parse("28MiB"),
                    Duration.ofSeconds(29),
                    30),
                new SearchConfig.Embedding(
                    30,
                    31,
                    42,
                    39,
                    Duration.ofSeconds(33),
                    Duration.ofSeconds(32),
                    Duration.ofSeconds(41))));
  }

  @Test
  @DisplayName("VEC-04: an unknown metric or index is an error, not a warning and a guess")
  void anUnknownMetricIsRefused() {
    for (String wrong : List.of("metric = \"hamming\"", "index = \"ivfflat\"")) {
      String key = wrong.substring(0, wrong.indexOf(' '));
      Settings settings =
          settings(SearchConfig.starterText().replaceAll("(?m)^" + key + " = .*$", wrong));
      SearchConfig.from(settings);
      assertThatThrownBy(settings::verify)
          .isInstanceOfSatisfying(
              CaliberException.class,
              e -> assertThat(e.code()).isEqualTo(KernelErrorCode.INVALID_SETTING));
    }
  }

  @Test
  void whatIsReadFromWordingHasBounds() {
    for (String wrong :
        List.of(
            "period-grace = \"-1d\"",
            "period-grace-share = 1.1",
            "asking-length = 0",
            "answer-lift = -0.1",
            "embeds-names = \"no\"",
            "asker = 7",
            "question-words = \"what\"",
            "asker-words = [1]")) {
      String key = wrong.substring(0, wrong.indexOf(' '));
      String text =
          SearchConfig.starterText().replaceAll("(?ms)^" + key + " = (\\[.*?^\\]|[^\\n]*)$", wrong);
      Settings settings = settings(text);
      SearchConfig.from(settings);
      assertThatThrownBy(settings::verify).as(wrong).hasMessageContaining("search.reading." + key);
    }
  }

  @Test
  @DisplayName("HNSW-01: the starter graph has 16 links, 200 candidates to build and 50 to search")
  void theStarterGraphIsTheSpecifiedOne() {
    SearchConfig.Dense dense = SearchConfig.starter().dense();
    assertThat(List.of(dense.hnswM(), dense.hnswEfConstruction(), dense.hnswEfSearch()))
        .containsExactly(16, 200, 50);
  }

  @Test
  @DisplayName("HNSW-06: below 10,000 vectors of a space the scan is exact")
  void theStarterScansExactlyBelowTenThousand() {
    assertThat(SearchConfig.starter().dense().exactBelow()).isEqualTo(10_000);
  }

  private static Settings settings(String text) {
    return Settings.parse("test.toml", text);
  }
}
