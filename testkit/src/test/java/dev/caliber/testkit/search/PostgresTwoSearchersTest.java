package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.ProgressListener;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two stores on one server, each with an index of its own, as two server processes would be. */
@EachEngine(EngineKind.POSTGRES)
final class PostgresTwoSearchersTest extends SearchFixture {

  private final FaultyEmbedder embedder = new FaultyEmbedder("test", DIMENSIONS);

  private SearchConfig in(String directory) {
    return searchConfig().withDirectory(indexes.resolve(directory));
  }

  @Test
  void bothFollowTheSameFeedAndShareVectors() {
    SearchNode first = openNode(in("first"), Optional.of(embedder), TestMessage.SEARCHABLE);
    SearchNode second = openNode(in("second"), Optional.of(embedder), TestMessage.SEARCHABLE);
    first.put(TestMessage.of("a", "tea with milk"));
    second.put(TestMessage.of("b", "coffee").inSession("t", 1));
    first.embedAll();
    int texts = embedder.embeddedPassages();
    second.embedAll();
    assertThat(embedder.embeddedPassages()).isEqualTo(texts);
    assertThat(second.searchText("tea").hits()).isEqualTo(first.searchText("tea").hits());
    assertThat(second.search().check(SPACE, ProgressListener.NONE))
        .isEqualTo(first.search().check(SPACE, ProgressListener.NONE));
    long written = second.delete("a");
    assertThat(
            first
                .search()
                .search(query("tea").withWeights(ONLY_WORDS).withSequence(written))
                .hits())
        .isEmpty();
  }

  @Test
  void oneDirectoryServesOneProcess() {
    openNode(in("shared"), Optional.empty(), TestMessage.SEARCHABLE).awaitIndexed();
    SearchNode second = openNode(in("shared"), Optional.empty(), TestMessage.SEARCHABLE);
    assertThat(second.search().status(SPACE).degraded().orElse(""))
        .matches("the index is still being built|.*another process uses the directory.*");
    SearchContract.assertRefused(
        SearchErrorCode.INDEX_BEHIND, () -> impatient("shared").search().awaitSequence(SPACE, 0));
  }

  private SearchNode impatient(String directory) {
    return openNode(
        in(directory).with("search.commit-wait-timeout = '1ms'"),
        Optional.empty(),
        TestMessage.SEARCHABLE);
  }
}
