package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.store.Progress;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.testkit.Engines;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the graph finds of what there is; {@code bench search} says the same of 100,000 vectors. */
final class GraphRecallTest extends SearchFixture {

  private static final int DOCUMENTS = 2_000;
  private static final int QUESTIONS = 40;
  private static final double LEAST = 0.95;

  private final HostileEmbedder embedder = new HostileEmbedder("test", DIMENSIONS);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return Engines.memory();
  }

  private Node node(SearchConfig.VectorIndex index) {
    SearchConfig.Dense starter = settings().dense();
    return node(
        settings()
            .withDense(
                new SearchConfig.Dense(
                    starter.metric(),
                    index,
                    starter.hnswM(),
                    starter.hnswEfConstruction(),
                    starter.hnswEfSearch(),
                    0,
                    0,
                    10)),
        Optional.of(embedder),
        Message.SEARCHABLE);
  }

  private static String words(Chance chance) {
    return IntStream.range(0, 6)
        .mapToObj(_ -> "w" + chance.nextInt(300))
        .collect(Collectors.joining(" "));
  }

  private static void fill(Node node) {
    Chance chance = Chance.seeded(1);
    for (int start = 0; start < DOCUMENTS; start += 500) {
      Message[] some = new Message[500];
      for (int i = 0; i < some.length; i++) {
        some[i] =
            Message.of("m%05d".formatted(start + i), words(chance))
                .in("s" + (start + i), 1)
                .tagged("t" + (i % 10));
      }
      node.put(some);
    }
    node.embed();
    node.search().rebuild(SPACE, Progress.NONE);
  }

  @Test
  @DisplayName(
      "HNSW-03, HNSW-04: the graph finds 95 % of what a scan does, with and without filter")
  void theGraphFindsWhatAScanFinds() {
    Node graph = node(SearchConfig.VectorIndex.HNSW);
    fill(graph);
    Node scan = node(SearchConfig.VectorIndex.EXACT);
    fill(scan);
    Chance chance = Chance.seeded(2);
    double all = 0;
    double filtered = 0;
    for (int i = 0; i < QUESTIONS; i++) {
      SearchQuery query = query(words(chance)).weighing(ONLY_VECTORS);
      all += recall(graph, scan, query);
      filtered += recall(graph, scan, query.where(SearchFilter.equal("tags", "t3")));
    }
    assertThat(all / QUESTIONS).isGreaterThanOrEqualTo(LEAST);
    assertThat(filtered / QUESTIONS).isGreaterThanOrEqualTo(LEAST);
  }

  /** By nearness, since equally near ones may stand for each other. */
  private static double recall(Node graph, Node scan, SearchQuery query) {
    List<SearchHit> wanted = scan.search().search(query).hits();
    List<SearchHit> found = graph.search().search(query).hits();
    assertThat(found).hasSameSizeAs(wanted);
    double least = wanted.getLast().cosine().orElseThrow() - 1e-6;
    return found.stream().filter(hit -> hit.cosine().orElseThrow() >= least).count()
        / (double) wanted.size();
  }
}
