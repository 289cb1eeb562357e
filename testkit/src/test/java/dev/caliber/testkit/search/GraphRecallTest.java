package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.RandomSource;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.testkit.TestEngines;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Recall of the graph search; {@code bench search} measures the same for 100,000 vectors. */
final class GraphRecallTest extends SearchFixture {

  private static final int DOCUMENTS = 2_000;
  private static final int QUESTIONS = 40;
  private static final double LEAST = 0.95;

  private final FaultyEmbedder embedder = new FaultyEmbedder("test", DIMENSIONS);

  @Override
  protected StoreConfig.EngineSettings engine() {
    return TestEngines.memory();
  }

  private SearchNode node(SearchConfig.VectorIndexType index) {
    return openNode(
        searchConfig()
            .with(
                "search.dense.index = '%s'".formatted(index.name().toLowerCase(Locale.ROOT)),
                "search.dense.exact-below = 0",
                "search.dense.exact-below-filtered = 0",
                "search.dense.graph-min-vectors = 10"),
        Optional.of(embedder),
        TestMessage.SEARCHABLE);
  }

  private static String words(RandomSource randomSource) {
    return IntStream.range(0, 6)
        .mapToObj(_ -> "w" + randomSource.nextInt(300))
        .collect(Collectors.joining(" "));
  }

  private static void fill(SearchNode searchNode) {
    RandomSource randomSource = RandomSource.seeded(1);
    for (int start = 0; start < DOCUMENTS; start += 500) {
      TestMessage[] some = new TestMessage[500];
      for (int i = 0; i < some.length; i++) {
        some[i] =
            TestMessage.of("m%05d".formatted(start + i), words(randomSource))
                .inSession("s" + (start + i), 1)
                .withTags("t" + (i % 10));
      }
      searchNode.put(some);
    }
    searchNode.embedAll();
    searchNode.search().rebuild(SPACE, ProgressListener.NONE);
  }

  @Test
  @DisplayName(
      "HNSW-03, HNSW-04: the graph finds 95 % of what a scan does, with and without filter")
  void theGraphFindsWhatAScanFinds() {
    SearchNode graph = node(SearchConfig.VectorIndexType.HNSW);
    fill(graph);
    SearchNode scan = node(SearchConfig.VectorIndexType.EXACT);
    fill(scan);
    RandomSource randomSource = RandomSource.seeded(2);
    double all = 0;
    double filtered = 0;
    for (int i = 0; i < QUESTIONS; i++) {
      SearchQuery query = query(words(randomSource)).withWeights(ONLY_VECTORS);
      all += recall(graph, scan, query);
      filtered += recall(graph, scan, query.withFilter(SearchFilter.equal("tags", "t3")));
    }
    assertThat(all / QUESTIONS).isGreaterThanOrEqualTo(LEAST);
    assertThat(filtered / QUESTIONS).isGreaterThanOrEqualTo(LEAST);
  }

  /** Returns the recall by similarity, since equally near records are interchangeable. */
  private static double recall(SearchNode graph, SearchNode scan, SearchQuery query) {
    List<SearchHit> wanted = scan.search().search(query).hits();
    List<SearchHit> found = graph.search().search(query).hits();
    assertThat(found).hasSameSizeAs(wanted);
    double least = wanted.getLast().cosine().orElseThrow() - 1e-6;
    return found.stream().filter(hit -> hit.cosine().orElseThrow() >= least).count()
        / (double) wanted.size();
  }
}
