package dev.caliber.store.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.KernelErrorCode;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class SearchConfigTest {

  @Test
  @DisplayName("VEC-01: dimensions come from the model; index, metric and graph are settings")
  void theGraphIsASetting() {
    assertThat(
            SearchConfig.starter()
                .with("search.dense.metric = 'l2'", "search.dense.index = 'exact'")
                .with("search.dense.hnsw-m = 8", "search.dense.graph-min-vectors = 13")
                .dense())
        .isEqualTo(
            new SearchConfig.DenseSettings(
                SearchConfig.VectorMetric.L2,
                SearchConfig.VectorIndexType.EXACT,
                8,
                200,
                50,
                10_000,
                5000,
                13));
  }

  @Test
  void theWeightsOfChannelsAreKeysOfTheRanking() {
    SearchConfig config =
        SearchConfig.starter().with("search.ranking.time = 5").with("search.ranking.lexical = 1");
    assertThat(config.ranking().weights())
        .hasSize(SearchChannel.values().length)
        .containsEntry(SearchChannel.TIME, 5.0)
        .containsEntry(SearchChannel.LEXICAL, 1.0);
  }

  @Test
  @DisplayName("VEC-04: an unknown metric or index is an error, not a warning and a guess")
  void anUnknownMetricIsRefused() {
    for (String wrong : List.of("metric = \"hamming\"", "index = \"ivfflat\"")) {
      assertThatThrownBy(() -> SearchConfig.starter().with("search.dense." + wrong))
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
      assertThatThrownBy(() -> SearchConfig.starter().with("search.query-analysis." + wrong))
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
}
