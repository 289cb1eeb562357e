package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a hit hands on to the documents that it links to. */
public abstract class LinksContract extends SearchFixture {

  private static final Map<Channel, Double> WORDS_AND_LINKS = withLinks(only(Channel.LEXICAL), 0.5);

  private static Map<Channel, Double> withLinks(Map<Channel, Double> weights, double weight) {
    Map<Channel, Double> all = new java.util.EnumMap<>(weights);
    all.put(Channel.LINKS, weight);
    return all;
  }

  private Node node(int hops, int limit) {
    SearchConfig.Ranking starter = settings().ranking();
    return node(
        settings()
            .withRanking(
                new SearchConfig.Ranking(
                    starter.wordLift(),
                    starter.neighbourLift(),
                    starter.standaloneLift(),
                    starter.candidates(),
                    starter.weights(),
                    starter.window(),
                    0.5,
                    starter.sessionBest(),
                    hops,
                    limit,
                    starter.halfLife())),
        Optional.empty(),
        Message.SEARCHABLE);
  }

  private static SearchQuery linked(String text) {
    return query(text).weighing(WORDS_AND_LINKS);
  }

  private static Message apart(String id, String text) {
    return Message.of(id, text).in(id, 1);
  }

  @Test
  @DisplayName("a hit brings what it links to, with a share of its score that is explained")
  void aHitBringsWhatItLinksTo() {
    Node node = node(1, 10);
    node.put(
        apart("a", "the bridge is closed").linking("b", "gone", "a"),
        apart("b", "works until spring").linking("c"),
        apart("c", "two hops away"),
        apart("d", "linked by nobody"));
    assertThat(node.keys(query("bridge").weighing(ONLY_WORDS))).containsExactly("a");
    assertThat(node.keys(linked("bridge"))).containsExactly("a", "b");
    List<SearchHit> hits = node.search().search(linked("bridge").explained()).hits();
    SearchHit.ChannelScore handed = hits.get(1).channels().getFirst();
    assertThat(handed.channel()).isEqualTo(Channel.LINKS);
    assertThat(handed.weight()).isEqualTo(0.5);
    assertThat(handed.raw()).isPositive();
    assertThat(hits.get(1).score()).as("a link makes nothing relevant").isZero();
  }

  @Test
  @DisplayName("links are followed for as many hops as settings say, each counting less")
  void furtherHopsCountLess() {
    Node node = node(3, 10);
    node.put(
        apart("a", "the bridge is closed").linking("b"),
        apart("b", "works until spring").linking("c"),
        apart("c", "the ferry runs hourly").linking("a", "d"),
        apart("d", "tickets on board").linking("e"),
        apart("e", "four hops away"));
    List<SearchHit> hits =
        node.search().search(linked("bridge").after(node.settle()).explained()).hits();
    assertThat(hits).extracting(SearchHit::key).containsExactly("a", "b", "c", "d");
    double first = handed(hits.get(1));
    assertThat(handed(hits.get(2))).isCloseTo(first / 2, within(1e-9));
    assertThat(handed(hits.get(3))).isCloseTo(first / 4, within(1e-9));
  }

  private static double handed(SearchHit hit) {
    return hit.channels().stream()
        .filter(score -> score.channel() == Channel.LINKS)
        .findFirst()
        .orElseThrow()
        .raw();
  }

  @Test
  @DisplayName("no more links of a document are followed than settings say")
  void linksAreBounded() {
    Node node = node(1, 2);
    node.put(
        apart("a", "the bridge is closed").linking("e", "d", "c", "b"),
        apart("b", "1"),
        apart("c", "2"),
        apart("d", "3"),
        apart("e", "4"));
    assertThat(node.keys(linked("bridge"))).containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("what a link leads to still has to pass the filter, and to be in the index")
  void linkedDocumentsPassTheFilter() {
    Node node = node(2, 10);
    node.put(
        apart("a", "the bridge is closed").tagged("x").linking("b", "c", "d"),
        apart("b", "works until spring").tagged("x"),
        apart("c", "works until autumn").tagged("y"),
        apart("d", "works until winter").tagged("x").asDraft());
    assertThat(node.keys(linked("bridge").where(SearchFilter.equal("tags", "x"))))
        .containsExactly("a", "b");
  }

  @Test
  @DisplayName("a link that is taken back, and a document that is gone, hand on nothing")
  void changedLinksAreFollowedAtOnce() {
    Node node = node(1, 10);
    node.put(apart("a", "the bridge").linking("b"), apart("b", "spring"), apart("c", "autumn"));
    assertThat(node.keys(linked("bridge"))).containsExactly("a", "b");
    node.put(apart("a", "the bridge").linking("c"));
    assertThat(node.keys(linked("bridge"))).containsExactly("a", "c");
    node.delete("c");
    assertThat(node.keys(linked("bridge"))).containsExactly("a");
    node.put(apart("c", "autumn once more"));
    assertThat(node.keys(linked("bridge"))).containsExactly("a", "c");
  }
}
