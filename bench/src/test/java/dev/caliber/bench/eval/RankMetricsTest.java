package dev.caliber.bench.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests against values calculated by hand with trec_eval's definitions. */
class RankMetricsTest {

  private static final Offset<Double> EXACT = within(1e-4);
  private static final List<String> RANKED = List.of("a", "x", "b", "y", "c");
  private static final Set<String> GOLD = Set.of("a", "b", "c", "d");

  @Test
  void recallIsTheShareOfTheGoldThatWasFound() {
    assertThat(RankMetrics.recall(RANKED, GOLD, 3)).isEqualTo(0.5);
    assertThat(RankMetrics.recall(RANKED, GOLD, 100)).isEqualTo(0.75);
  }

  @Test
  void precisionFillsAShortListWithMisses() {
    assertThat(RankMetrics.precision(RANKED, GOLD, 2)).isEqualTo(0.5);
    assertThat(RankMetrics.precision(RANKED, GOLD, 30)).isEqualTo(0.1);
  }

  @Test
  void averagePrecisionCountsMissingGoldAsNought() {
    // (1/1 + 2/3 + 3/5 + 0) / 4
    assertThat(RankMetrics.averagePrecision(RANKED, GOLD)).isCloseTo(0.5667, EXACT);
  }

  @Test
  void ndcgDiscountsByTheLogarithmOfTheRank() {
    // gains at ranks 1, 3, 5: 1 + 1/2 + 0.38685; ideal of 4: 1 + 0.63093 + 0.5 + 0.43068
    Map<String, Integer> gold = Map.of("a", 1, "b", 1, "c", 1, "d", 1);
    assertThat(RankMetrics.ndcg(RANKED, gold, 10)).isCloseTo(1.88685 / 2.56161, EXACT);
  }

  @Test
  void ndcgTakesGradesAsGains() {
    // 1/1 + 3/2 against 3/1 + 1/log2(3)
    assertThat(RankMetrics.ndcg(RANKED, Map.of("a", 1, "b", 3), 10))
        .isCloseTo(2.5 / 3.63093, EXACT);
  }

  @Test
  void ndcgOfMoreGoldThanPlacesCanStillBeOne() {
    assertThat(RankMetrics.ndcg(List.of("a", "b"), Map.of("a", 1, "b", 1, "c", 1), 2))
        .isCloseTo(1, EXACT);
  }

  @Test
  void theFirstIsAHitOrNot() {
    assertThat(RankMetrics.hitAt1(RANKED, GOLD)).isEqualTo(1);
    assertThat(RankMetrics.hitAt1(RANKED, Set.of("x"))).isZero();
    assertThat(RankMetrics.hitAt1(List.of(), GOLD)).isZero();
  }
}
