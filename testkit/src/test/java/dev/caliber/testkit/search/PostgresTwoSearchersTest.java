package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.Progress;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.testkit.Engines;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two stores on one server, each with an index of its own, as two server processes would be. */
@Tag("postgres")
final class PostgresTwoSearchersTest extends SearchFixture {

  private final StoreConfig.Postgres engine = Engines.postgres(PostgresTwoSearchersTest.class);
  private final HostileEmbedder embedder = new HostileEmbedder("test", DIMENSIONS);

  @Override
  protected StoreConfig.EngineConfig engine() {
    return engine;
  }

  private SearchConfig in(String directory) {
    SearchConfig.General general = settings().general();
    return settings()
        .withGeneral(
            new SearchConfig.General(
                indexes.resolve(directory),
                general.patience(),
                general.limitMax(),
                general.migration()));
  }

  @Test
  void bothFollowTheSameFeedAndShareVectors() {
    Node first = node(in("first"), Optional.of(embedder), Message.SEARCHABLE);
    Node second = node(in("second"), Optional.of(embedder), Message.SEARCHABLE);
    first.put(Message.of("a", "tea with milk"));
    second.put(Message.of("b", "coffee").in("t", 1));
    first.embed();
    int texts = embedder.texts();
    second.embed();
    assertThat(embedder.texts()).isEqualTo(texts);
    assertThat(second.find("tea").hits()).isEqualTo(first.find("tea").hits());
    assertThat(second.search().check(SPACE, Progress.NONE))
        .isEqualTo(first.search().check(SPACE, Progress.NONE));
    long written = second.delete("a");
    assertThat(first.search().search(query("tea").weighing(ONLY_WORDS).after(written)).hits())
        .isEmpty();
  }

  @Test
  void oneDirectoryServesOneProcess() {
    node(in("shared"), Optional.empty(), Message.SEARCHABLE).settle();
    Node second = node(in("shared"), Optional.empty(), Message.SEARCHABLE);
    assertThat(second.search().status(SPACE).degraded().orElse(""))
        .matches("the index is being built|.*holds the search index.*");
    SearchContract.refused(
        SearchErrorCode.INDEX_BEHIND, () -> impatient("shared").search().await(SPACE, 0));
  }

  private Node impatient(String directory) {
    SearchConfig.General general = in(directory).general();
    return node(
        settings()
            .withGeneral(
                new SearchConfig.General(
                    general.directory(),
                    java.time.Duration.ofMillis(1),
                    general.limitMax(),
                    general.migration())),
        Optional.empty(),
        Message.SEARCHABLE);
  }
}
