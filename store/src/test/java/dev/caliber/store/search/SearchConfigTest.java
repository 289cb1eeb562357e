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
      commit-wait-timeout = "1s"
      max-hits = 2
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
      exact-below-filtered = 12
      graph-min-vectors = 13
      [search.chunks]
      characters = 16
      overlap = 15
      max-chunks = 17
      [search.ranking]
      word-lift = 0.18
      neighbour-lift = 0.43
      standalone-lift = 0.44
      first-word-lift = 0.45
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
      neighbour-distance = 20
      distance-decay = 0.21
      session-documents = 22
      link-hops = 2
      link-limit = 38
      recency-half-life = "23s"
      [search.query-analysis]
      question-words = ["q"]
      self-words = ["w"]
      self-speaker = "me"
      embed-speaker-names = true
      period-grace = "33s"
      period-grace-share = 0.34
      question-max-length = 35
      answer-lift = 0.36
      [search.indexing]
      threads = 24
      merge-threads = 25
      batch-delay = "40ms"
      commits-per-step = 26
      records-per-step = 27
      buffer-size = "28MiB"
      interval = "29s"
      open-indexes = 30
      [search.embedding]
      batch = 30
      documents-per-commit = 31
      before-search-limit = 42
      query-cache-size = 39
      retry-pause = "33s"
      batch-retention = "32s"
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
                new SearchConfig.GeneralSearchSettings(
                    Path.of("elsewhere"),
                    Duration.ofSeconds(1),
                    2,
                    SearchConfig.MigrationMode.COMMAND),
                new SearchConfig.WordAnalysisSettings(SearchConfig.Stemmer.K_STEM, List.of("x")),
                new SearchConfig.LexicalSettings(0.3, 0.4, 5, 6, 7),
                new SearchConfig.DenseSettings(
                    SearchConfig.VectorMetric.L2,
                    SearchConfig.VectorIndexType.EXACT,
                    8,
                    9,
                    10,
                    11,
                    12,
                    13),
                new SearchConfig.ChunkSettings(16, 15, 17),
                new SearchConfig.SearchRankingSettings(
                    0.18,
                    0.43,
                    0.44,
                    0.45,
                    19,
                    Map.of(
                        SearchChannel.LEXICAL, 1.0,
                        SearchChannel.DENSE, 2.0,
                        SearchChannel.NEIGHBOURHOOD, 3.0,
                        SearchChannel.SESSION, 4.0,
                        SearchChannel.LINKS, 10.0,
                        SearchChannel.SPEAKER, 7.0,
                        SearchChannel.PERIOD, 8.0,
                        SearchChannel.STATEMENT, 9.0,
                        SearchChannel.TIME, 5.0,
                        SearchChannel.TRUST, 6.0),
                    20,
                    0.21,
                    22,
                    2,
                    38,
                    Duration.ofSeconds(23)),
                new SearchConfig.QueryAnalysisSettings(
                    List.of("q"), List.of("w"), "me", true, Duration.ofSeconds(33), 0.34, 35, 0.36),
                new SearchConfig.IndexingSettings(
                    24,
                    25,
                    Duration.ofMillis(40),
                    26,
                    27,
                    DataSize.parse("28MiB"),
                    Duration.ofSeconds(29),
                    30),
                new SearchConfig.TextEmbeddingSettings(
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
            "question-max-length = 0",
            "answer-lift = -0.1",
            "embed-speaker-names = \"no\"",
            "self-speaker = 7",
            "question-words = \"what\"",
            "self-words = [1]")) {
      String key = wrong.substring(0, wrong.indexOf(' '));
      String text =
          SearchConfig.starterText().replaceAll("(?ms)^" + key + " = (\\[.*?^\\]|[^\\n]*)$", wrong);
      Settings settings = settings(text);
      SearchConfig.from(settings);
      assertThatThrownBy(settings::verify)
          .as(wrong)
          .hasMessageContaining("search.query-analysis." + key);
    }
  }

  @Test
  @DisplayName("HNSW-01: the starter graph has 16 links, 200 candidates to build and 50 to search")
  void theStarterGraphIsTheSpecifiedOne() {
    SearchConfig.DenseSettings denseSettings = SearchConfig.starter().dense();
    assertThat(
            List.of(
                denseSettings.hnswM(),
                denseSettings.hnswEfConstruction(),
                denseSettings.hnswEfSearch()))
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
