package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.testkit.EachEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contract of the scores that a hit passes on to the documents that it links to. */
@EachEngine
class LinkScoreContract extends SearchFixture {

  private static final Map<SearchChannel, Double> WORDS_AND_LINKS =
      withLinkWeight(onlyChannel(SearchChannel.LEXICAL), 0.5);

  private static Map<SearchChannel, Double> withLinkWeight(
      Map<SearchChannel, Double> weights, double weight) {
    Map<SearchChannel, Double> all = new java.util.EnumMap<>(weights);
    all.put(SearchChannel.LINKS, weight);
    return all;
  }

  private SearchNode openNode(int hops, int limit) {
    return openNode(
        searchConfig()
            .with(
                "search.ranking.distance-decay = 0.5",
                "search.ranking.link-hops = " + hops,
                "search.ranking.link-limit = " + limit),
        Optional.empty(),
        TestMessage.SEARCHABLE);
  }

  private static SearchQuery linkQuery(String text) {
    return query(text).withWeights(WORDS_AND_LINKS);
  }

  private static TestMessage messageInOwnSession(String id, String text) {
    return TestMessage.of(id, text).inSession(id, 1);
  }

  @Test
  @DisplayName("a hit brings the documents that it links to, with an explained share of its score")
  void aHitBringsWhatItLinksTo() {
    SearchNode searchNode = openNode(1, 10);
    searchNode.put(
        messageInOwnSession("a", "the bridge is closed").withLinks("b", "gone", "a"),
        messageInOwnSession("b", "works until spring").withLinks("c"),
        messageInOwnSession("c", "two hops away"),
        messageInOwnSession("d", "linked by none"));
    assertThat(searchNode.searchKeys(query("bridge").withWeights(ONLY_WORDS))).containsExactly("a");
    assertThat(searchNode.searchKeys(linkQuery("bridge"))).containsExactly("a", "b");
    List<SearchHit> hits = searchNode.search().search(linkQuery("bridge").withExplanation()).hits();
    SearchHit.ChannelScore handed = hits.get(1).channels().getFirst();
    assertThat(handed.channel()).isEqualTo(SearchChannel.LINKS);
    assertThat(handed.weight()).isEqualTo(0.5);
    assertThat(handed.raw()).isPositive();
    assertThat(hits.get(1).score()).as("a link makes nothing relevant").isZero();
  }

  @Test
  @DisplayName("links are followed for as many hops as settings say, each counting less")
  void furtherHopsCountLess() {
    SearchNode searchNode = openNode(3, 10);
    searchNode.put(
        messageInOwnSession("a", "the bridge is closed").withLinks("b"),
        messageInOwnSession("b", "works until spring").withLinks("c"),
        messageInOwnSession("c", "the ferry runs hourly").withLinks("a", "d"),
        messageInOwnSession("d", "tickets on board").withLinks("e"),
        messageInOwnSession("e", "four hops away"));
    List<SearchHit> hits =
        searchNode
            .search()
            .search(linkQuery("bridge").withSequence(searchNode.awaitIndexed()).withExplanation())
            .hits();
    assertThat(hits).extracting(SearchHit::key).containsExactly("a", "b", "c", "d");
    double first = linkScore(hits.get(1));
    assertThat(linkScore(hits.get(2))).isCloseTo(first / 2, within(1e-9));
    assertThat(linkScore(hits.get(3))).isCloseTo(first / 4, within(1e-9));
  }

  private static double linkScore(SearchHit hit) {
    return hit.channels().stream()
        .filter(score -> score.channel() == SearchChannel.LINKS)
        .findFirst()
        .orElseThrow()
        .raw();
  }

  @Test
  @DisplayName("no more links of a document are followed than settings say")
  void linksAreBounded() {
    SearchNode searchNode = openNode(1, 2);
    searchNode.put(
        messageInOwnSession("a", "the bridge is closed").withLinks("e", "d", "c", "b"),
        messageInOwnSession("b", "1"),
        messageInOwnSession("c", "2"),
        messageInOwnSession("d", "3"),
        messageInOwnSession("e", "4"));
    assertThat(searchNode.searchKeys(linkQuery("bridge"))).containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("a linked document still has to pass the filter, and to be in the index")
  void linkedDocumentsPassTheFilter() {
    SearchNode searchNode = openNode(2, 10);
    searchNode.put(
        messageInOwnSession("a", "the bridge is closed").withTags("x").withLinks("b", "c", "d"),
        messageInOwnSession("b", "works until spring").withTags("x"),
        messageInOwnSession("c", "works until autumn").withTags("y"),
        messageInOwnSession("d", "works until winter").withTags("x").asDraft());
    assertThat(
            searchNode.searchKeys(linkQuery("bridge").withFilter(SearchFilter.equal("tags", "x"))))
        .containsExactly("a", "b");
  }

  @Test
  @DisplayName("a removed link and a deleted document pass on no score")
  void changedLinksAreFollowedAtOnce() {
    SearchNode searchNode = openNode(1, 10);
    searchNode.put(
        messageInOwnSession("a", "the bridge").withLinks("b"),
        messageInOwnSession("b", "spring"),
        messageInOwnSession("c", "autumn"));
    assertThat(searchNode.searchKeys(linkQuery("bridge"))).containsExactly("a", "b");
    searchNode.put(messageInOwnSession("a", "the bridge").withLinks("c"));
    assertThat(searchNode.searchKeys(linkQuery("bridge"))).containsExactly("a", "c");
    searchNode.delete("c");
    assertThat(searchNode.searchKeys(linkQuery("bridge"))).containsExactly("a");
    searchNode.put(messageInOwnSession("c", "autumn once more"));
    assertThat(searchNode.searchKeys(linkQuery("bridge"))).containsExactly("a", "c");
  }
}
