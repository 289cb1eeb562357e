package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchHit;
import dev.caliber.testkit.EachEngine;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contract of parsing the wording of queries and documents: speakers, periods, and questions. */
@EachEngine
class QueryUnderstandingContract extends SearchFixture {

  private final FaultyEmbedder embedder = new FaultyEmbedder("test", DIMENSIONS);

  private static double rawScore(List<SearchHit> hits, String key, SearchChannel searchChannel) {
    return hits.stream()
        .filter(hit -> hit.key().equals(key))
        .flatMap(hit -> hit.channels().stream())
        .filter(each -> each.channel() == searchChannel)
        .mapToDouble(SearchHit.ChannelScore::raw)
        .findFirst()
        .orElse(0);
  }

  @Test
  @DisplayName("a document ranks higher if the query names its speaker")
  void theNamedSpeakerComesFirst() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(
        TestMessage.of("a", "I painted a lake").withSpeaker("Ann Lee").inSession("s", 1),
        TestMessage.of("b", "I painted a lake").withSpeaker("Bob").inSession("t", 1));
    assertThat(searchNode.searchKeys(query("What did Bob paint?"))).containsExactly("b", "a");
    assertThat(searchNode.searchKeys(query("What did Ann paint?"))).containsExactly("a", "b");
  }

  @Test
  @DisplayName("a query in the first person means the person who asks")
  void theFirstPersonIsTheUser() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(
        TestMessage.of("a", "the sprint ends on Friday").withSpeaker("assistant").inSession("s", 1),
        TestMessage.of("b", "the sprint ends on Friday").withSpeaker("user").inSession("t", 1));
    assertThat(searchNode.searchKeys(query("When does my sprint end?"))).containsExactly("b", "a");
    assertThat(searchNode.searchKeys(query("When does the sprint end?"))).containsExactly("a", "b");
  }

  @Test
  @DisplayName("speakers' names are not embedded with the query")
  void namesAreNotEmbedded() {
    SearchNode searchNode = openNode(Optional.of(embedder));
    searchNode.put(TestMessage.of("a", "painting lakes").withSpeaker("Ann"));
    searchNode.embedAll();
    SearchHit named = searchNode.searchText("Ann's painting lakes").hits().getFirst();
    SearchHit plain = searchNode.searchText("painting lakes").hits().getFirst();
    assertThat(named.cosine()).isEqualTo(plain.cosine());
  }

  @Test
  @DisplayName("a document ranks higher if it is from a time that the query names")
  void theNamedTimeComesFirst() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(
        TestMessage.of("a", "we went hiking")
            .withTime(Instant.parse("2023-03-02T09:00:00Z"))
            .inSession("s", 1),
        TestMessage.of("b", "we went hiking")
            .withTime(Instant.parse("2023-07-09T09:00:00Z"))
            .inSession("t", 1));
    assertThat(searchNode.searchKeys(query("Where did they go hiking in July 2023?")))
        .containsExactly("b", "a");
    assertThat(searchNode.searchKeys(query("Where did they go hiking on 2 March?")))
        .containsExactly("a", "b");
  }

  @Test
  @DisplayName("a question counts less than the answer right after it")
  void answersComeBeforeQuestions() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(
        TestMessage.of("a", "Which instrument do you play?").inSession("s", 1),
        TestMessage.of("b", "The clarinet, since I was a child.").inSession("s", 2),
        TestMessage.of("c", "Which instrument do you play?").inSession("t", 1));
    List<SearchHit> hits = searchNode.searchText("instrument play").hits();
    assertThat(rawScore(hits, "a", SearchChannel.STATEMENT)).isZero();
    assertThat(rawScore(hits, "b", SearchChannel.STATEMENT)).isEqualTo(1);
    assertThat(rawScore(hits, "c", SearchChannel.STATEMENT)).as("nothing follows it").isEqualTo(1);
    assertThat(rawScore(hits, "b", SearchChannel.NEIGHBOURHOOD)).isPositive();
  }
}
