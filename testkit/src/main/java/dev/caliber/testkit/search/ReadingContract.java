package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchHit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is read from the wording of queries and documents: who, when, and what only asks. */
public abstract class ReadingContract extends SearchFixture {

  private final HostileEmbedder embedder = new HostileEmbedder("test", DIMENSIONS);

  private static double raw(List<SearchHit> hits, String key, Channel channel) {
    return hits.stream()
        .filter(hit -> hit.key().equals(key))
        .flatMap(hit -> hit.channels().stream())
        .filter(each -> each.channel() == channel)
        .mapToDouble(SearchHit.ChannelScore::raw)
        .findFirst()
        .orElse(0);
  }

  @Test
  @DisplayName("the speaker whom a query names speaks for what he says")
  void theNamedSpeakerComesFirst() {
    Node node = node(Optional.empty());
    node.put(
        Message.of("a", "I painted a lake").by("Ann Lee").in("s", 1),
        Message.of("b", "I painted a lake").by("Bob").in("t", 1));
    assertThat(node.keys(query("What did Bob paint?"))).containsExactly("b", "a");
    assertThat(node.keys(query("What did Ann paint?"))).containsExactly("a", "b");
  }

  @Test
  @DisplayName("a query in the first person means the person who asks")
  void theFirstPersonIsTheUser() {
    Node node = node(Optional.empty());
    node.put(
        Message.of("a", "the sprint ends on Friday").by("assistant").in("s", 1),
        Message.of("b", "the sprint ends on Friday").by("user").in("t", 1));
    assertThat(node.keys(query("When does my sprint end?"))).containsExactly("b", "a");
    assertThat(node.keys(query("When does the sprint end?"))).containsExactly("a", "b");
  }

  @Test
  @DisplayName("speakers' names are not embedded with the query")
  void namesAreNotEmbedded() {
    Node node = node(Optional.of(embedder));
    node.put(Message.of("a", "painting lakes").by("Ann"));
    node.embed();
    SearchHit named = node.find("Ann's painting lakes").hits().getFirst();
    SearchHit plain = node.find("painting lakes").hits().getFirst();
    assertThat(named.cosine()).isEqualTo(plain.cosine());
  }

  @Test
  @DisplayName("a time that a query names speaks for what was said then")
  void theNamedTimeComesFirst() {
    Node node = node(Optional.empty());
    node.put(
        Message.of("a", "we went hiking").at(Instant.parse("2023-03-02T09:00:00Z")).in("s", 1),
        Message.of("b", "we went hiking").at(Instant.parse("2023-07-09T09:00:00Z")).in("t", 1));
    assertThat(node.keys(query("Where did they go hiking in July 2023?")))
        .containsExactly("b", "a");
    assertThat(node.keys(query("Where did they go hiking on 2 March?"))).containsExactly("a", "b");
  }

  @Test
  @DisplayName("a question counts less than the answer right after it")
  void answersComeBeforeQuestions() {
    Node node = node(Optional.empty());
    node.put(
        Message.of("a", "Which instrument do you play?").in("s", 1),
        Message.of("b", "The clarinet, since I was a child.").in("s", 2),
        Message.of("c", "Which instrument do you play?").in("t", 1));
    List<SearchHit> hits = node.find("instrument play").hits();
    assertThat(raw(hits, "a", Channel.STATEMENT)).isZero();
    assertThat(raw(hits, "b", Channel.STATEMENT)).isEqualTo(1);
    assertThat(raw(hits, "c", Channel.STATEMENT)).as("nothing follows it").isEqualTo(1);
    assertThat(raw(hits, "b", Channel.NEIGHBOURHOOD)).isPositive();
  }
}
