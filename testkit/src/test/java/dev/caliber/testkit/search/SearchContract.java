package dev.caliber.testkit.search;

import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.KernelErrorCode;
import dev.caliber.kernel.Vectors;
import dev.caliber.kernel.config.ComparisonOperator;
import dev.caliber.kernel.config.FilterValue;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.spi.Embedder;
import dev.caliber.store.spi.Embedder.EmbeddingPurpose;
import dev.caliber.store.spi.Embedding;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.ManualClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Guarantees of a search query. */
@EachEngine
class SearchContract extends SearchFixture {

  private final FaultyEmbedder embedder = new FaultyEmbedder("test", DIMENSIONS);

  private SearchNode openNode() {
    return openNode(Optional.of(embedder));
  }

  @Test
  @DisplayName("HNSW-07: a search after a write sees the write, its changes and its deletion")
  void aSearchSeesWhatWasWritten() {
    SearchNode searchNode = openNode();
    long first = searchNode.put(TestMessage.of("a", "the cat sat on the mat"));
    assertThat(searchNode.search().search(query("cats").withSequence(first)).hits())
        .extracting(SearchHit::key)
        .containsExactly("a");
    long second = searchNode.put(TestMessage.of("a", "a dog barked"));
    assertThat(
            searchNode
                .search()
                .search(query("cat").withWeights(ONLY_WORDS).withSequence(second))
                .hits())
        .isEmpty();
    long third = searchNode.delete("a");
    assertThat(searchNode.search().search(query("dog").withSequence(third)).hits()).isEmpty();
  }

  @Test
  @DisplayName("VEC-10: a record without its vector is found by words at once, densely later")
  void documentsAreFoundByWordsBeforeTheyAreEmbedded() {
    SearchNode searchNode =
        openNode(withEmbeddingWithinSearch(0), Optional.of(embedder), TestMessage.SEARCHABLE);
    searchNode.put(
        TestMessage.of("a", "the cat sat on the mat"),
        TestMessage.of("b", "stocks fell").inSession("t", 1));
    SearchResult before = searchNode.searchText("cat");
    assertThat(before.hits()).extracting(SearchHit::key).containsExactly("a");
    assertThat(before.hits().getFirst().similarity()).isEmpty();
    assertThat(before.unembedded()).isEqualTo(2);
    assertThat(searchNode.search().status(SPACE).backlog()).isEqualTo(2);
    assertThat(searchNode.searchKeys(query("cat").withMinimumSimilarity(0.1))).isEmpty();
    searchNode.embedAll();
    SearchHit hit = searchNode.searchText("a cat sat on the mat").hits().getFirst();
    assertThat(hit.key()).isEqualTo("a");
    assertThat(hit.similarity()).isPresent();
    assertThat(searchNode.search().status(SPACE)).extracting(SearchStatus::vectors).isEqualTo(2L);
  }

  private SearchConfig withEmbeddingWithinSearch(int documents) {
    return searchConfig().with("search.embedding.before-search-limit = " + documents);
  }

  @Test
  @DisplayName("a search compares by meaning the records committed before it, up to a bound")
  void aSearchEmbedsTheNewestDocumentsThatWait() {
    SearchNode searchNode =
        openNode(withEmbeddingWithinSearch(2), Optional.of(embedder), TestMessage.SEARCHABLE);
    searchNode.put(
        TestMessage.of("a", "the cat sat on the mat"), TestMessage.of("b", "stocks fell"));
    SearchResult both = searchNode.searchText("the cat sat on the mat");
    assertThat(both.unembedded()).isZero();
    assertThat(both.hits().getFirst().similarity()).isPresent();
    searchNode.put(
        TestMessage.of("c", "tea"), TestMessage.of("d", "coffee"), TestMessage.of("e", "milk"));
    assertThat(searchNode.searchText("cat").unembedded()).isEqualTo(1);
    assertThat(searchNode.searchText("cat").unembedded()).isZero();
  }

  @Test
  @DisplayName("a search whose model fails answers by words, and says how many texts wait")
  void aSearchGoesOnWithoutTheModel() {
    SearchNode searchNode = openNode();
    embedder.setFault(FaultyEmbedder.EmbedderFault.AWAY);
    searchNode.put(TestMessage.of("a", "the cat sat on the mat"));
    SearchResult found = searchNode.searchText("cat");
    assertThat(found.hits()).extracting(SearchHit::key).containsExactly("a");
    assertThat(found.unembedded()).isEqualTo(1);
  }

  @Test
  @DisplayName("HNSW-05: writing again replaces the vector, deleting makes it unfindable")
  void aVectorIsReplacedAndDeletedWithItsRecord() {
    SearchNode searchNode = openNode();
    searchNode.put(TestMessage.of("a", "green tea"), TestMessage.of("b", "stocks and bonds"));
    searchNode.embedAll();
    assertThat(nearestKey(searchNode, "green tea")).isEqualTo("a");
    searchNode.put(TestMessage.of("a", "stocks and bonds fell"), TestMessage.of("b", "green tea"));
    searchNode.embedAll();
    assertThat(nearestKey(searchNode, "green tea")).isEqualTo("b");
    assertThat(searchNode.search().status(SPACE).vectors()).isEqualTo(2);
    searchNode.delete("b");
    assertThat(searchNode.searchKeys(query("green tea").withWeights(ONLY_VECTORS)))
        .containsExactly("a");
    assertRefused(
        KernelErrorCode.DIMENSION_MISMATCH, () -> searchByVector(searchNode, "test", new float[3]));
  }

  private static String nearestKey(SearchNode searchNode, String text) {
    return searchNode.searchKeys(query(text).withWeights(ONLY_VECTORS)).getFirst();
  }

  @Test
  @DisplayName("VEC-06: a vector counts once the follower has applied it, and no longer than it")
  void aVectorCountsOnceItIsApplied() {
    SearchNode searchNode = openNode();
    long written = searchNode.put(TestMessage.of("a", "green tea"));
    searchNode.embedAll();
    long embedded = searchNode.awaitIndexed();
    assertThat(embedded).isGreaterThan(written);
    assertThat(
            searchNode
                .search()
                .search(query("green tea").withWeights(ONLY_VECTORS).withSequence(embedded)))
        .satisfies(result -> assertThat(result.sequence()).isGreaterThanOrEqualTo(embedded))
        .extracting(SearchResult::hits, org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .hasSize(1);
    searchNode.put(TestMessage.of("a", "green tea").asDraft()); // like a superseded record
    assertThat(searchNode.searchKeys(query("green tea").withWeights(ONLY_VECTORS))).isEmpty();
  }

  @Test
  @DisplayName("MEMV-07: unchanged text is not embedded again")
  void onlyChangedTextIsEmbedded() {
    SearchNode searchNode = openNode();
    searchNode.put(TestMessage.of("a", "one"), TestMessage.of("b", "two"));
    searchNode.embedAll();
    int before = embedder.embeddedPassages();
    searchNode.put(TestMessage.of("a", "one").withSpeaker("bob"), TestMessage.of("b", "three"));
    searchNode.embedAll();
    searchNode.put(TestMessage.of("c", "one"));
    searchNode.embedAll();
    assertThat(embedder.embeddedPassages()).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("HNSW-02: similarity is the cosine, within 1e-5")
  void similarityIsTheCosine() {
    SearchNode searchNode = openNode();
    searchNode.put(TestMessage.of("a", "the cat sat"), TestMessage.of("b", "a cat and a dog"));
    searchNode.embedAll();
    float[] asked = vector("cat dog");
    for (SearchHit hit : searchNode.searchText("cat dog").hits()) {
      String text = hit.key().equals("a") ? "the cat sat" : "a cat and a dog";
      assertThat(hit.cosine().getAsDouble())
          .isCloseTo(Vectors.cosine(asked, vector(text)), within(1e-5));
    }
  }

  private float[] vector(String text) {
    return ((Embedding.Vector) embedder.embed(EmbeddingPurpose.QUERY, List.of(text)).getFirst())
        .values();
  }

  @Test
  @DisplayName("VEC-05: at most limit hits, none below the minimum, best first, ties by id")
  void limitsAndMinimaHold() {
    SearchNode searchNode = openNode();
    for (String id : List.of("e", "d", "c", "b", "a")) {
      searchNode.put(TestMessage.of(id, "the same words"));
    }
    searchNode.put(TestMessage.of("z", "other things entirely"));
    searchNode.embedAll();
    SearchQuery asked = SearchQuery.of(SPACE, "the same words", 3).withWeights(ONLY_VECTORS);
    assertThat(searchNode.searchKeys(asked)).containsExactly("a", "b", "c");
    assertThat(
            searchNode.searchKeys(
                query("the same words").withWeights(ONLY_VECTORS).withMinimumSimilarity(0.9)))
        .containsExactly("a", "b", "c", "d", "e");
    assertThat(
            searchNode.searchKeys(SearchQuery.of(SPACE, "same words", 2).withWeights(ONLY_WORDS)))
        .containsExactly("a", "b");
  }

  @Test
  @DisplayName("HNSW-08: similarity is calibrated; the hit also has the raw cosine")
  void similarityIsCalibrated() {
    SearchNode searchNode = openNode();
    searchNode.put(TestMessage.of("a", "equal words"), TestMessage.of("b", "unlike"));
    searchNode.embedAll();
    List<SearchHit> hits =
        searchNode.search().search(query("equal words").withWeights(ONLY_VECTORS)).hits();
    assertThat(hits.getFirst().similarity().getAsDouble()).isCloseTo(1, within(1e-5));
    assertThat(hits.getLast().similarity().getAsDouble())
        .isLessThan(hits.getLast().cosine().getAsDouble());
  }

  @Test
  void everyHitExplainsItsScore() {
    SearchNode searchNode = openNode();
    searchNode.put(
        TestMessage.of("a", "cats and dogs").inSession("s", 1),
        TestMessage.of("b", "yes").inSession("s", 2));
    searchNode.embedAll();
    SearchResult result = searchNode.searchText("cats");
    assertThat(result.fusion()).contains("dense").contains("lexical");
    assertThat(result.degraded()).isEmpty();
    assertThat(result.hits())
        .extracting(SearchContract::scoreSum)
        .isSortedAccordingTo(reverseOrder());
    assertThat(result.hits()).extracting(SearchHit::score).isSortedAccordingTo(reverseOrder());
    assertThat(result.hits()).allSatisfy(hit -> assertThat(hit.score()).isBetween(0.0, 1.0));
    assertThat(result.hits().getFirst().channels())
        .extracting(SearchHit.ChannelScore::channel)
        .contains(SearchChannel.LEXICAL, SearchChannel.DENSE, SearchChannel.SESSION);
    assertThat(result.hits().getFirst().channels().getFirst().rank()).isEqualTo(1);
  }

  private static double scoreSum(SearchHit hit) {
    return hit.channels().stream().mapToDouble(each -> each.weight() * each.scaled()).sum();
  }

  @Test
  void neighboursOfAHitAreFoundWithIt() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(
        TestMessage.of("a", "which restaurant did you like").inSession("s", 1),
        TestMessage.of("b", "the one by the harbour").inSession("s", 2),
        TestMessage.of("c", "something else").inSession("t", 1));
    assertThat(searchNode.searchKeys(query("restaurant"))).containsExactly("a", "b");
  }

  @Test
  void timeAndTrustCountWhenTheyAreGivenWeight() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(
        TestMessage.of("old", "tea")
            .withTime(ManualClock.START.minus(Duration.ofDays(365)))
            .withTrust(1),
        TestMessage.of("new", "tea").withTrust(0.1));
    assertThat(
            searchNode.searchKeys(
                query("tea").withWeights(java.util.Map.of(SearchChannel.TIME, 1.0))))
        .containsExactly("new", "old");
    assertThat(
            searchNode.searchKeys(
                query("tea").withWeights(java.util.Map.of(SearchChannel.TRUST, 1.0))))
        .containsExactly("old", "new");
  }

  @Test
  @DisplayName("HNSW-03: filters are applied inside the search, whatever they keep")
  void filtersKeepWhatTheySay() {
    SearchNode searchNode = openNode();
    searchNode.put(
        TestMessage.of("a", "tea").withSpeaker("ann").withTags("hot", "green").withStars(1),
        TestMessage.of("b", "tea please, with a little milk")
            .withSpeaker("bob")
            .withTags("hot")
            .withStars(3),
        TestMessage.of("c", "tea").withSpeaker("cid").withTime(ManualClock.START.plusSeconds(60)));
    searchNode.embedAll();
    assertThat(filteredKeys(searchNode, SearchFilter.equal("speaker", "ann"))).containsExactly("a");
    assertThat(filteredKeys(searchNode, SearchFilter.equal("tags", "hot")))
        .containsExactly("a", "b");
    assertThat(filteredKeys(searchNode, new SearchFilter.Not(SearchFilter.equal("tags", "hot"))))
        .containsExactly("c");
    assertThat(filteredKeys(searchNode, SearchFilter.anyOf("speaker", List.of("bob", "cid"))))
        .containsExactly("b", "c");
    assertThat(filteredKeys(searchNode, numberFilter(ComparisonOperator.GREATER, 1)))
        .containsExactly("b");
    assertThat(filteredKeys(searchNode, numberFilter(ComparisonOperator.AT_MOST, 3)))
        .containsExactly("a", "b");
    assertThat(filteredKeys(searchNode, numberFilter(ComparisonOperator.NOT_EQUAL, 3)))
        .containsExactly("a");
    assertThat(filteredKeys(searchNode, new SearchFilter.Has("stars"))).containsExactly("a", "b");
    assertThat(
            filteredKeys(
                searchNode,
                SearchFilter.compare(
                    "said_at",
                    ComparisonOperator.GREATER,
                    new FilterValue.TimestampFilterValue(ManualClock.START))))
        .containsExactly("c");
    assertThat(
            filteredKeys(
                searchNode,
                SearchFilter.compare(
                    "short", ComparisonOperator.EQUAL, new FilterValue.BooleanFilterValue(false))))
        .containsExactly("b");
    assertThat(
            filteredKeys(
                searchNode,
                SearchFilter.compare(
                    "speaker", ComparisonOperator.CONTAINS, new FilterValue.TextFilterValue("o"))))
        .containsExactly("b");
    assertThat(
            filteredKeys(
                searchNode,
                SearchFilter.compare(
                    "speaker",
                    ComparisonOperator.MATCHES,
                    new FilterValue.TextFilterValue("[ab].*"))))
        .containsExactly("a", "b");
    assertThat(
            filteredKeys(
                searchNode,
                SearchFilter.allOf(
                    numberFilter(ComparisonOperator.EQUAL, 1),
                    SearchFilter.equal("tags", "green"))))
        .containsExactly("a");
  }

  private static SearchFilter numberFilter(ComparisonOperator comparisonOperator, long value) {
    return SearchFilter.compare(
        "stars", comparisonOperator, new FilterValue.NumericFilterValue(BigDecimal.valueOf(value)));
  }

  private static List<String> filteredKeys(SearchNode searchNode, SearchFilter filter) {
    List<String> dense =
        searchNode.searchKeys(query("tea").withWeights(ONLY_VECTORS).withFilter(filter));
    List<String> lexical =
        searchNode.searchKeys(query("tea").withWeights(ONLY_WORDS).withFilter(filter));
    assertThat(lexical).containsExactlyInAnyOrderElementsOf(dense);
    return lexical.stream().sorted().toList();
  }

  @Test
  void aPeriodKeepsWhatHappenedInIt() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(
        TestMessage.of("a", "tea"),
        TestMessage.of("b", "tea").withTime(ManualClock.START.plusSeconds(60)));
    assertThat(
            searchNode.searchKeys(
                query("tea").withPeriod(ManualClock.START, ManualClock.START.plusSeconds(60))))
        .containsExactly("a");
    assertThat(
            searchNode.searchKeys(
                query("").withPeriod(ManualClock.START, ManualClock.START.plusSeconds(61))))
        .containsExactly("b", "a");
  }

  @Test
  void whatADeclarationLeavesOutIsNotFound() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(TestMessage.of("a", "tea"), TestMessage.of("b", "tea").asDraft());
    assertThat(searchNode.searchKeys(query("tea"))).containsExactly("a");
    searchNode.put(TestMessage.of("a", "tea").asDraft());
    assertThat(searchNode.searchKeys(query("tea"))).isEmpty();
  }

  @Test
  void aLongTextIsFoundByItsBestPiece() {
    SearchNode searchNode = openNode();
    String filler = "Nothing of note happened on that day. ".repeat(200);
    searchNode.put(
        TestMessage.of("long", filler + "The zebra escaped from the zoo."),
        TestMessage.of("b", "Nothing of note happened."));
    searchNode.embedAll();
    SearchHit hit =
        searchNode
            .search()
            .search(query("The zebra escaped from the zoo.").withWeights(ONLY_VECTORS))
            .hits()
            .getFirst();
    assertThat(hit.key()).isEqualTo("long");
    SearchStatus status = searchNode.search().status(SPACE);
    assertThat(status.documents()).isEqualTo(2);
    assertThat(status.vectors()).isGreaterThan(3);
    assertThat(searchNode.searchKeys(query("zebra"))).hasSize(2);
  }

  @Test
  @DisplayName("ERR-06: a vector of the wrong length, without a direction or of another model")
  void wrongVectorsAreRefused() {
    SearchNode searchNode = openNode();
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.embedAll();
    assertRefused(
        KernelErrorCode.DIMENSION_MISMATCH, () -> searchByVector(searchNode, "test", new float[3]));
    assertRefused(
        KernelErrorCode.INVALID_VECTOR,
        () -> searchByVector(searchNode, "test", new float[DIMENSIONS]));
    float[] infinite = new float[DIMENSIONS];
    infinite[1] = Float.POSITIVE_INFINITY;
    assertRefused(
        KernelErrorCode.INVALID_VECTOR, () -> searchByVector(searchNode, "test", infinite));
    assertRefused(
        SearchErrorCode.MODEL_MISMATCH, () -> searchByVector(searchNode, "other", vector("tea")));
    assertThat(searchByVector(searchNode, "test", vector("tea")).hits()).hasSize(1);
  }

  private static SearchResult searchByVector(SearchNode searchNode, String model, float[] vector) {
    return searchNode.search().search(query("").withVector(model, vector));
  }

  @Test
  void wrongQueriesAreRefused() {
    SearchNode searchNode = openNode();
    assertRefused(
        SearchErrorCode.UNKNOWN_FIELD,
        () -> searchNode.searchKeys(query("x").withFilter(SearchFilter.equal("nope", "x"))));
    assertRefused(
        SearchErrorCode.INVALID_QUERY, () -> searchNode.searchKeys(query("x").withTables("nope")));
    assertRefused(
        SearchErrorCode.INVALID_QUERY,
        () -> searchNode.searchKeys(query("x").withFilter(SearchFilter.equal("stars", "x"))));
    assertRefused(
        SearchErrorCode.INVALID_QUERY, () -> searchNode.searchKeys(SearchQuery.of(SPACE, "x", 0)));
    assertRefused(
        SearchErrorCode.INVALID_QUERY,
        () ->
            searchNode.searchKeys(
                query("x").withWeights(java.util.Map.of(SearchChannel.DENSE, -1.0))));
  }

  @Test
  void anEmbedderThatFailsOnlyTakesDenseSearchAway() {
    SearchNode searchNode = openNode();
    embedder.setFault(FaultyEmbedder.EmbedderFault.AWAY);
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.awaitIndexed();
    searchNode.jobs().runDue(SPACE);
    SearchResult result = searchNode.searchText("tea");
    assertThat(result.hits()).extracting(SearchHit::key).containsExactly("a");
    assertThat(result.degraded().orElseThrow())
        .contains("the search uses words only, not vectors", "no answer");
    embedder.setFault(FaultyEmbedder.EmbedderFault.NONE);
    clock.advance(Duration.ofHours(1));
    searchNode.embedAll();
    assertThat(searchNode.searchText("tea").degraded()).isEmpty();
  }

  @Test
  void oneTextThatCannotBeEmbeddedHoldsBackNoOther() {
    SearchNode searchNode = openNode();
    embedder.setFault(FaultyEmbedder.EmbedderFault.POISON);
    searchNode.put(TestMessage.of("a", "poison"), TestMessage.of("b", "tea"));
    searchNode.embedAll();
    SearchStatus status = searchNode.search().status(SPACE);
    assertThat(status.vectors()).isEqualTo(1);
    assertThat(status.failed()).isEqualTo(1);
    assertThat(searchNode.searchKeys(query("poison").withWeights(ONLY_WORDS))).containsExactly("a");
  }

  @Test
  void anEmbedderWithVectorsOfTheWrongLengthDegradesAndLosesNothing() {
    SearchNode searchNode = openNode();
    embedder.setFault(FaultyEmbedder.EmbedderFault.SHORT);
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.awaitIndexed();
    searchNode.jobs().runDue(SPACE);
    SearchResult result = searchNode.searchText("tea");
    assertThat(result.hits()).hasSize(1);
    assertThat(result.degraded().orElseThrow()).contains("DIMENSION_MISMATCH");
    embedder.setFault(FaultyEmbedder.EmbedderFault.NONE);
    clock.advance(Duration.ofHours(1));
    searchNode.embedAll();
    assertThat(searchNode.search().status(SPACE).vectors()).isEqualTo(1);
  }

  @Test
  void withoutAnEmbedderSearchSaysSo() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(TestMessage.of("a", "tea"));
    assertThat(searchNode.searchText("tea").degraded().orElseThrow())
        .contains("no embedding model is configured");
  }

  @Test
  void spacesDoNotSeeEachOther() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.store().createSpace(OTHER);
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.awaitIndexed();
    assertThat(searchNode.search().search(SearchQuery.of(OTHER, "tea", 10)).hits()).isEmpty();
    assertThat(searchNode.searchKeys(query("tea"))).containsExactly("a");
  }

  /** Asserts that the work fails with this code. */
  protected static void assertRefused(ErrorCode code, ThrowingCallable work) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(CaliberException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** Returns an embedder for tests that need one. */
  protected final Optional<Embedder> embedder() {
    return Optional.of(embedder);
  }
}
