package dev.caliber.testkit.search;

import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.Vectors;
import dev.caliber.kernel.config.Comparator;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.Purpose;
import dev.caliber.store.spi.Embedding;
import dev.caliber.testkit.ManualClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a query may rely on. */
public abstract class SearchContract extends SearchFixture {

  private final HostileEmbedder embedder = new HostileEmbedder("test", DIMENSIONS);

  private Node node() {
    return node(Optional.of(embedder));
  }

  @Test
  @DisplayName("HNSW-07: a search after a write sees the write, its changes and its deletion")
  void aSearchSeesWhatWasWritten() {
    Node node = node();
    long first = node.put(Message.of("a", "the cat sat on the mat"));
    assertThat(node.search().search(query("cats").after(first)).hits())
        .extracting(SearchHit::key)
        .containsExactly("a");
    long second = node.put(Message.of("a", "a dog barked"));
    assertThat(node.search().search(query("cat").weighing(ONLY_WORDS).after(second)).hits())
        .isEmpty();
    long third = node.delete("a");
    assertThat(node.search().search(query("dog").after(third)).hits()).isEmpty();
  }

  @Test
  @DisplayName("VEC-10: a record without its vector is found by words at once, densely later")
  void documentsAreFoundByWordsBeforeTheyAreEmbedded() {
    Node node = node(embeddingWithinSearch(0), Optional.of(embedder), Message.SEARCHABLE);
    node.put(Message.of("a", "the cat sat on the mat"), Message.of("b", "stocks fell").in("t", 1));
    SearchResult before = node.find("cat");
    assertThat(before.hits()).extracting(SearchHit::key).containsExactly("a");
    assertThat(before.hits().getFirst().similarity()).isEmpty();
    assertThat(before.unembedded()).isEqualTo(2);
    assertThat(node.search().status(SPACE).backlog()).isEqualTo(2);
    assertThat(node.keys(query("cat").atLeast(0.1))).isEmpty();
    node.embed();
    SearchHit hit = node.find("a cat sat on the mat").hits().getFirst();
    assertThat(hit.key()).isEqualTo("a");
    assertThat(hit.similarity()).isPresent();
    assertThat(node.search().status(SPACE)).extracting(SearchStatus::vectors).isEqualTo(2L);
  }

  private SearchConfig embeddingWithinSearch(int documents) {
    return settings().withEmbedding(settings().embedding().withinSearch(documents));
  }

  @Test
  @DisplayName("a search sees the meaning of what was committed before it, up to a bound")
  void aSearchEmbedsTheNewestDocumentsThatWait() {
    Node node = node(embeddingWithinSearch(2), Optional.of(embedder), Message.SEARCHABLE);
    node.put(Message.of("a", "the cat sat on the mat"), Message.of("b", "stocks fell"));
    SearchResult both = node.find("the cat sat on the mat");
    assertThat(both.unembedded()).isZero();
    assertThat(both.hits().getFirst().similarity()).isPresent();
    node.put(Message.of("c", "tea"), Message.of("d", "coffee"), Message.of("e", "milk"));
    assertThat(node.find("cat").unembedded()).isEqualTo(1);
    assertThat(node.find("cat").unembedded()).isZero();
  }

  @Test
  @DisplayName("a search whose model fails answers by words, and says how many texts wait")
  void aSearchGoesOnWithoutTheModel() {
    Node node = node();
    embedder.suffer(HostileEmbedder.Trouble.AWAY);
    node.put(Message.of("a", "the cat sat on the mat"));
    SearchResult found = node.find("cat");
    assertThat(found.hits()).extracting(SearchHit::key).containsExactly("a");
    assertThat(found.unembedded()).isEqualTo(1);
  }

  @Test
  @DisplayName("HNSW-05: writing again replaces the vector, deleting makes it unfindable")
  void aVectorIsReplacedAndDeletedWithItsRecord() {
    Node node = node();
    node.put(Message.of("a", "green tea"), Message.of("b", "stocks and bonds"));
    node.embed();
    assertThat(nearest(node, "green tea")).isEqualTo("a");
    node.put(Message.of("a", "stocks and bonds fell"), Message.of("b", "green tea"));
    node.embed();
    assertThat(nearest(node, "green tea")).isEqualTo("b");
    assertThat(node.search().status(SPACE).vectors()).isEqualTo(2);
    node.delete("b");
    assertThat(node.keys(query("green tea").weighing(ONLY_VECTORS))).containsExactly("a");
    refused(KernelErrorCode.DIMENSION_MISMATCH, () -> ask(node, "test", new float[3]));
  }

  private static String nearest(Node node, String text) {
    return node.keys(query(text).weighing(ONLY_VECTORS)).getFirst();
  }

  @Test
  @DisplayName("VEC-06: a vector counts once the follower has applied it, and no longer than it")
  void aVectorCountsOnceItIsApplied() {
    Node node = node();
    long written = node.put(Message.of("a", "green tea"));
    node.embed();
    long embedded = node.settle();
    assertThat(embedded).isGreaterThan(written);
    assertThat(node.search().search(query("green tea").weighing(ONLY_VECTORS).after(embedded)))
        .satisfies(result -> assertThat(result.sequence()).isGreaterThanOrEqualTo(embedded))
        .extracting(SearchResult::hits, org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .hasSize(1);
    node.put(Message.of("a", "green tea").asDraft()); // as a record that was superseded
    assertThat(node.keys(query("green tea").weighing(ONLY_VECTORS))).isEmpty();
  }

  @Test
  @DisplayName("MEMV-07: unchanged text is not embedded again")
  void onlyChangedTextIsEmbedded() {
    Node node = node();
    node.put(Message.of("a", "one"), Message.of("b", "two"));
    node.embed();
    int before = embedder.texts();
    node.put(Message.of("a", "one").by("bob"), Message.of("b", "three"));
    node.embed();
    node.put(Message.of("c", "one"));
    node.embed();
    assertThat(embedder.texts()).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("HNSW-02: similarity is the cosine, within 1e-5")
  void similarityIsTheCosine() {
    Node node = node();
    node.put(Message.of("a", "the cat sat"), Message.of("b", "a cat and a dog"));
    node.embed();
    float[] asked = vector("cat dog");
    for (SearchHit hit : node.find("cat dog").hits()) {
      String text = hit.key().equals("a") ? "the cat sat" : "a cat and a dog";
      assertThat(hit.cosine().getAsDouble())
          .isCloseTo(Vectors.cosine(asked, vector(text)), within(1e-5));
    }
  }

  private float[] vector(String text) {
    return ((Embedding.Vector) embedder.embed(Purpose.QUERY, List.of(text)).getFirst()).values();
  }

  @Test
  @DisplayName("VEC-05: at most limit hits, none below the minimum, best first, ties by id")
  void limitsAndMinimaHold() {
    Node node = node();
    for (String id : List.of("e", "d", "c", "b", "a")) {
      node.put(Message.of(id, "the same words"));
    }
    node.put(Message.of("z", "other things entirely"));
    node.embed();
    SearchQuery asked = SearchQuery.of(SPACE, "the same words", 3).weighing(ONLY_VECTORS);
    assertThat(node.keys(asked)).containsExactly("a", "b", "c");
    assertThat(node.keys(query("the same words").weighing(ONLY_VECTORS).atLeast(0.9)))
        .containsExactly("a", "b", "c", "d", "e");
    assertThat(node.keys(SearchQuery.of(SPACE, "same words", 2).weighing(ONLY_WORDS)))
        .containsExactly("a", "b");
  }

  @Test
  @DisplayName("HNSW-08: similarity is calibrated; the raw cosine stays in the hit")
  void similarityIsCalibrated() {
    Node node = node();
    node.put(Message.of("a", "equal words"), Message.of("b", "unlike"));
    node.embed();
    List<SearchHit> hits = node.search().search(query("equal words").weighing(ONLY_VECTORS)).hits();
    assertThat(hits.getFirst().similarity().getAsDouble()).isCloseTo(1, within(1e-5));
    assertThat(hits.getLast().similarity().getAsDouble())
        .isLessThan(hits.getLast().cosine().getAsDouble());
  }

  @Test
  void everyHitExplainsItsScore() {
    Node node = node();
    node.put(Message.of("a", "cats and dogs").in("s", 1), Message.of("b", "yes").in("s", 2));
    node.embed();
    SearchResult result = node.find("cats");
    assertThat(result.fusion()).contains("dense").contains("lexical");
    assertThat(result.degraded()).isEmpty();
    assertThat(result.hits()).extracting(SearchContract::sum).isSortedAccordingTo(reverseOrder());
    assertThat(result.hits()).extracting(SearchHit::score).isSortedAccordingTo(reverseOrder());
    assertThat(result.hits()).allSatisfy(hit -> assertThat(hit.score()).isBetween(0.0, 1.0));
    assertThat(result.hits().getFirst().channels())
        .extracting(SearchHit.ChannelScore::channel)
        .contains(Channel.LEXICAL, Channel.DENSE, Channel.SESSION);
    assertThat(result.hits().getFirst().channels().getFirst().rank()).isEqualTo(1);
  }

  private static double sum(SearchHit hit) {
    return hit.channels().stream().mapToDouble(each -> each.weight() * each.scaled()).sum();
  }

  @Test
  void neighboursOfAHitAreFoundWithIt() {
    Node node = node(Optional.empty());
    node.put(
        Message.of("a", "which restaurant did you like").in("s", 1),
        Message.of("b", "the one by the harbour").in("s", 2),
        Message.of("c", "something else").in("t", 1));
    assertThat(node.keys(query("restaurant"))).containsExactly("a", "b");
  }

  @Test
  void timeAndTrustCountWhenTheyAreGivenWeight() {
    Node node = node(Optional.empty());
    node.put(
        Message.of("old", "tea").at(ManualClock.START.minus(Duration.ofDays(365))).trusted(1),
        Message.of("new", "tea").trusted(0.1));
    assertThat(node.keys(query("tea").weighing(java.util.Map.of(Channel.TIME, 1.0))))
        .containsExactly("new", "old");
    assertThat(node.keys(query("tea").weighing(java.util.Map.of(Channel.TRUST, 1.0))))
        .containsExactly("old", "new");
  }

  @Test
  @DisplayName("HNSW-03: filters are applied inside the search, whatever they keep")
  void filtersKeepWhatTheySay() {
    Node node = node();
    node.put(
        Message.of("a", "tea").by("ann").tagged("hot", "green").rated(1),
        Message.of("b", "tea please, with a little milk").by("bob").tagged("hot").rated(3),
        Message.of("c", "tea").by("cid").at(ManualClock.START.plusSeconds(60)));
    node.embed();
    assertThat(filtered(node, SearchFilter.equal("speaker", "ann"))).containsExactly("a");
    assertThat(filtered(node, SearchFilter.equal("tags", "hot"))).containsExactly("a", "b");
    assertThat(filtered(node, new SearchFilter.Not(SearchFilter.equal("tags", "hot"))))
        .containsExactly("c");
    assertThat(filtered(node, SearchFilter.anyOf("speaker", List.of("bob", "cid"))))
        .containsExactly("b", "c");
    assertThat(filtered(node, number(Comparator.GREATER, 1))).containsExactly("b");
    assertThat(filtered(node, number(Comparator.AT_MOST, 3))).containsExactly("a", "b");
    assertThat(filtered(node, number(Comparator.NOT_EQUAL, 3))).containsExactly("a");
    assertThat(filtered(node, new SearchFilter.Has("stars"))).containsExactly("a", "b");
    assertThat(
            filtered(
                node,
                SearchFilter.compare(
                    "said_at", Comparator.GREATER, new FilterValue.Moment(ManualClock.START))))
        .containsExactly("c");
    assertThat(
            filtered(
                node, SearchFilter.compare("short", Comparator.EQUAL, new FilterValue.Flag(false))))
        .containsExactly("b");
    assertThat(
            filtered(
                node,
                SearchFilter.compare("speaker", Comparator.CONTAINS, new FilterValue.Text("o"))))
        .containsExactly("b");
    assertThat(
            filtered(
                node,
                SearchFilter.compare(
                    "speaker", Comparator.MATCHES, new FilterValue.Text("[ab].*"))))
        .containsExactly("a", "b");
    assertThat(
            filtered(
                node,
                SearchFilter.all(number(Comparator.EQUAL, 1), SearchFilter.equal("tags", "green"))))
        .containsExactly("a");
  }

  private static SearchFilter number(Comparator comparator, long value) {
    return SearchFilter.compare(
        "stars", comparator, new FilterValue.Numeric(BigDecimal.valueOf(value)));
  }

  private static List<String> filtered(Node node, SearchFilter filter) {
    List<String> dense = node.keys(query("tea").weighing(ONLY_VECTORS).where(filter));
    List<String> lexical = node.keys(query("tea").weighing(ONLY_WORDS).where(filter));
    assertThat(lexical).containsExactlyInAnyOrderElementsOf(dense);
    return lexical.stream().sorted().toList();
  }

  @Test
  void aPeriodKeepsWhatHappenedInIt() {
    Node node = node(Optional.empty());
    node.put(Message.of("a", "tea"), Message.of("b", "tea").at(ManualClock.START.plusSeconds(60)));
    assertThat(
            node.keys(query("tea").between(ManualClock.START, ManualClock.START.plusSeconds(60))))
        .containsExactly("a");
    assertThat(node.keys(query("").between(ManualClock.START, ManualClock.START.plusSeconds(61))))
        .containsExactly("b", "a");
  }

  @Test
  void whatADeclarationLeavesOutIsNotFound() {
    Node node = node(Optional.empty());
    node.put(Message.of("a", "tea"), Message.of("b", "tea").asDraft());
    assertThat(node.keys(query("tea"))).containsExactly("a");
    node.put(Message.of("a", "tea").asDraft());
    assertThat(node.keys(query("tea"))).isEmpty();
  }

  @Test
  void aLongTextIsFoundByItsBestPiece() {
    Node node = node();
    String filler = "Nothing of note happened on that day. ".repeat(200);
    node.put(
        Message.of("long", filler + "The zebra escaped from the zoo."),
        Message.of("b", "Nothing of note happened."));
    node.embed();
    SearchHit hit =
        node.search()
            .search(query("The zebra escaped from the zoo.").weighing(ONLY_VECTORS))
            .hits()
            .getFirst();
    assertThat(hit.key()).isEqualTo("long");
    SearchStatus status = node.search().status(SPACE);
    assertThat(status.documents()).isEqualTo(2);
    assertThat(status.vectors()).isGreaterThan(3);
    assertThat(node.keys(query("zebra"))).hasSize(2);
  }

  @Test
  @DisplayName("ERR-06: a vector of the wrong length, without a direction or of another model")
  void wrongVectorsAreRefused() {
    Node node = node();
    node.put(Message.of("a", "tea"));
    node.embed();
    refused(KernelErrorCode.DIMENSION_MISMATCH, () -> ask(node, "test", new float[3]));
    refused(KernelErrorCode.INVALID_VECTOR, () -> ask(node, "test", new float[DIMENSIONS]));
    float[] infinite = new float[DIMENSIONS];
    infinite[1] = Float.POSITIVE_INFINITY;
    refused(KernelErrorCode.INVALID_VECTOR, () -> ask(node, "test", infinite));
    refused(SearchErrorCode.MODEL_MISMATCH, () -> ask(node, "other", vector("tea")));
    assertThat(ask(node, "test", vector("tea")).hits()).hasSize(1);
  }

  private static SearchResult ask(Node node, String model, float[] vector) {
    return node.search().search(query("").withVector(model, vector));
  }

  @Test
  void wrongQueriesAreRefused() {
    Node node = node();
    refused(
        SearchErrorCode.UNKNOWN_FIELD,
        () -> node.keys(query("x").where(SearchFilter.equal("nope", "x"))));
    refused(SearchErrorCode.INVALID_QUERY, () -> node.keys(query("x").in("nope")));
    refused(
        SearchErrorCode.INVALID_QUERY,
        () -> node.keys(query("x").where(SearchFilter.equal("stars", "x"))));
    refused(SearchErrorCode.INVALID_QUERY, () -> node.keys(SearchQuery.of(SPACE, "x", 0)));
    refused(
        SearchErrorCode.INVALID_QUERY,
        () -> node.keys(query("x").weighing(java.util.Map.of(Channel.DENSE, -1.0))));
  }

  @Test
  void anEmbedderThatFailsOnlyTakesDenseSearchAway() {
    Node node = node();
    embedder.suffer(HostileEmbedder.Trouble.AWAY);
    node.put(Message.of("a", "tea"));
    node.settle();
    node.jobs().runDue(SPACE);
    SearchResult result = node.find("tea");
    assertThat(result.hits()).extracting(SearchHit::key).containsExactly("a");
    assertThat(result.degraded().orElseThrow()).contains("dense search is off", "nobody answers");
    embedder.suffer(HostileEmbedder.Trouble.NONE);
    clock.advance(Duration.ofHours(1));
    node.embed();
    assertThat(node.find("tea").degraded()).isEmpty();
  }

  @Test
  void oneTextThatCannotBeEmbeddedHoldsBackNoOther() {
    Node node = node();
    embedder.suffer(HostileEmbedder.Trouble.POISON);
    node.put(Message.of("a", "poison"), Message.of("b", "tea"));
    node.embed();
    SearchStatus status = node.search().status(SPACE);
    assertThat(status.vectors()).isEqualTo(1);
    assertThat(status.failed()).isEqualTo(1);
    assertThat(node.keys(query("poison").weighing(ONLY_WORDS))).containsExactly("a");
  }

  @Test
  void anEmbedderWithVectorsOfTheWrongLengthDegradesAndLosesNothing() {
    Node node = node();
    embedder.suffer(HostileEmbedder.Trouble.SHORT);
    node.put(Message.of("a", "tea"));
    node.settle();
    node.jobs().runDue(SPACE);
    SearchResult result = node.find("tea");
    assertThat(result.hits()).hasSize(1);
    assertThat(result.degraded().orElseThrow()).contains("DIMENSION_MISMATCH");
    embedder.suffer(HostileEmbedder.Trouble.NONE);
    clock.advance(Duration.ofHours(1));
    node.embed();
    assertThat(node.search().status(SPACE).vectors()).isEqualTo(1);
  }

  @Test
  void withoutAnEmbedderSearchSaysSo() {
    Node node = node(Optional.empty());
    node.put(Message.of("a", "tea"));
    assertThat(node.find("tea").degraded().orElseThrow()).contains("no embedder");
  }

  @Test
  void spacesDoNotSeeEachOther() {
    Node node = node(Optional.empty());
    node.store().createSpace(OTHER);
    node.put(Message.of("a", "tea"));
    node.settle();
    assertThat(node.search().search(SearchQuery.of(OTHER, "tea", 10)).hits()).isEmpty();
    assertThat(node.keys(query("tea"))).containsExactly("a");
  }

  /** Runs something that must fail with this code. */
  protected static void refused(ErrorCode code, ThrowingCallable work) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(CaliberException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** For tests of engines that need one. */
  protected final Optional<Embedder> embedder() {
    return Optional.of(embedder);
  }
}
