package dev.caliber.store.search.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.KernelException;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.format.VectorSimilarity;
import dev.caliber.store.search.index.SearchIndexes;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class EmbeddingCacheTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  private final RecordStore store =
      Stores.open(
          StoreConfig.starter()
              .withEngine(new StoreConfig.InMemorySettings(DataSize.parse("1MiB"))),
          SearchIndexes.tables(),
          CLOCK,
          IdGenerator.of(CLOCK, RandomSource.seeded(1)));

  @AfterEach
  void close() {
    store.close();
  }

  private void insert(String hash, String model, Instant time, float... vector) {
    store.commit(
        SpaceId.DEFAULT,
        transaction -> {
          EmbeddingCache.insert(
              transaction, new CachedEmbedding(hash, model, time, Optional.empty(), vector), 2);
        });
  }

  private Optional<float[]> get(String hash, String model) {
    return store
        .read(SpaceId.DEFAULT, snapshot -> EmbeddingCache.get(snapshot, hash, model))
        .map(CachedEmbedding::vector);
  }

  @Test
  @DisplayName("STO-32: a vector is found by hash and model, never by the hash alone")
  void theKeyIsHashAndModel() {
    insert("h", "one", NOW, 1, 2);
    insert("h", "two", NOW, 3, 4);
    assertThat(get("h", "one").orElseThrow()).containsExactly(1, 2);
    assertThat(get("h", "two").orElseThrow()).containsExactly(3, 4);
    assertThat(get("h", "three")).isEmpty();
  }

  @Test
  @DisplayName("STO-09, REC-10: old vectors are deleted and counted, those in use are kept")
  void oldVectorsAreDeleted() {
    insert("old", "m", NOW.minusSeconds(10), 1, 2);
    insert("used", "m", NOW.minusSeconds(10), 1, 2);
    insert("new", "m", NOW, 1, 2);
    assertThat(prune(100)).isEqualTo(new SearchIndex.VectorPruneResult(1, false));
    assertThat(get("old", "m")).isEmpty();
    assertThat(get("used", "m")).isPresent();
    assertThat(get("new", "m")).isPresent();
  }

  @Test
  @DisplayName("STO-09: vectors in use do not hide old ones behind them")
  void pagesPassWhatIsUsed() {
    insert("used", "m", NOW.minusSeconds(20), 1, 2);
    insert("old", "m", NOW.minusSeconds(10), 1, 2);
    assertThat(prune(1)).isEqualTo(new SearchIndex.VectorPruneResult(0, true));
    assertThat(prune(1)).isEqualTo(new SearchIndex.VectorPruneResult(1, true));
    assertThat(prune(1)).isEqualTo(new SearchIndex.VectorPruneResult(0, false));
  }

  private SearchIndex.VectorPruneResult prune(int page) {
    return store.write(
        SpaceId.DEFAULT,
        transaction ->
            EmbeddingCache.prune(
                transaction, NOW, page, embedding -> embedding.hash().equals("used")));
  }

  @Test
  @DisplayName("ERR-06, MEM-05: a vector of another length than the model's is refused")
  void theLengthIsChecked() {
    assertThatThrownBy(() -> insert("h", "m", NOW, 1, 2, 3))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("expected 2 dimensions, found 3");
  }

  @Test
  void similaritiesOfEveryMetricComeBackFromLucenesScores() {
    assertThat(VectorSimilarity.COSINE.metricValue(0.75f)).isEqualTo(0.5);
    assertThat(VectorSimilarity.L2.metricValue(0.2f))
        .isCloseTo(1.0 / 3, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(VectorSimilarity.INNER_PRODUCT.metricValue(4f)).isEqualTo(3);
    assertThat(VectorSimilarity.INNER_PRODUCT.metricValue(0.5f)).isEqualTo(-1);
  }
}
