package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.search.Searchable;
import dev.caliber.testkit.EachEngine;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Contract of faults: each is confined to its place, is reported, and ends when its cause does. */
@EachEngine
class SearchFaultContract extends SearchFixture {

  private static final int MANY = 1536;
  private static final int SOME = 150;
  private static final SearchIndex.VectorPruneResult NOTHING =
      new SearchIndex.VectorPruneResult(0, false);

  private final FaultyEmbedder embedder = new FaultyEmbedder("test", DIMENSIONS);

  @Test
  @DisplayName("VEC-01: a model may have more than 1024 dimensions")
  void largeVectorsAreIndexed() {
    SearchNode searchNode = openNode(Optional.of(new FaultyEmbedder("large", MANY)));
    searchNode.put(
        TestMessage.of("a", "tea with milk"), TestMessage.of("b", "coffee").inSession("t", 1));
    searchNode.embedAll();
    assertThat(searchNode.search().status(SPACE).vectors()).isEqualTo(2);
    assertThat(searchNode.searchKeys(query("tea with milk").withWeights(ONLY_VECTORS)))
        .startsWith("a");
    searchNode.search().rebuild(SPACE, ProgressListener.NONE);
    assertThat(searchNode.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
  }

  @Test
  @DisplayName("REC-10, J-40: old vectors without a document are removed; the others are kept")
  void oldVectorsArePruned() {
    SearchNode searchNode = openNode(Optional.of(embedder));
    searchNode.put(
        TestMessage.of("a", "tea with milk"), TestMessage.of("b", "coffee").inSession("t", 1));
    searchNode.embedAll();
    int embedded = embedder.embeddedPassages();
    searchNode.delete("b");
    searchNode.awaitIndexed();
    assertThat(prune(searchNode)).isEqualTo(new SearchIndex.VectorPruneResult(0, false));
    clock.advance(searchConfig().embedding().cacheRetention().plusSeconds(1));
    assertThat(prune(searchNode)).isEqualTo(new SearchIndex.VectorPruneResult(1, false));
    searchNode.awaitIndexed();
    assertThat(prune(searchNode)).isEqualTo(new SearchIndex.VectorPruneResult(0, false));
    searchNode.search().rebuild(SPACE, ProgressListener.NONE);
    searchNode.embedAll();
    assertThat(embedder.embeddedPassages()).isEqualTo(embedded);
    assertThat(searchNode.searchKeys(query("tea with milk").withWeights(ONLY_VECTORS)))
        .startsWith("a");
    searchNode.put(TestMessage.of("b", "coffee").inSession("t", 1));
    searchNode.embedAll();
    assertThat(embedder.embeddedPassages()).isEqualTo(embedded + 1);
    assertThat(searchNode.search().status(SPACE).vectors()).isEqualTo(2);
  }

  @Test
  @DisplayName("REC-10, J-40: an index that is half-built or behind takes no vectors away")
  void anIndexThatDoesNotKnowAllPrunesNothing() throws IOException {
    ReadBarrier readBarrier = new ReadBarrier();
    RecordStore store = readBarrier.blockingReadsOf(open(tables()));
    SearchNode first =
        openNode(searchConfig(), Optional.of(embedder), store, TestMessage.SEARCHABLE);
    first.put(
        TestMessage.of("a", "tea with milk"), TestMessage.of("b", "coffee").inSession("t", 1));
    first.embedAll();
    int embedded = embedder.embeddedPassages();
    first.delete("b");
    first.awaitIndexed();
    clock.advance(searchConfig().embedding().cacheRetention().plusSeconds(1));
    try (readBarrier) {
      readBarrier.block();
      first.put(TestMessage.of("c", "tea with milk"));
      assertThat(prune(first)).as("behind").isEqualTo(NOTHING);
      readBarrier.close();
      first.embedAll();
      closeSearch();
      removeIndex();
      readBarrier.block();
      SearchNode second =
          openNode(searchConfig(), Optional.of(embedder), store, TestMessage.SEARCHABLE);
      readBarrier.awaitBlockedReader();
      assertThat(prune(second)).as("half-built").isEqualTo(NOTHING);
      readBarrier.close();
      second.embedAll();
      assertThat(prune(second)).isEqualTo(new SearchIndex.VectorPruneResult(1, false));
      assertThat(embedder.embeddedPassages()).as("none was embedded again").isEqualTo(embedded);
    }
  }

  private void removeIndex() throws IOException {
    if (indexDirectory(SPACE).isPresent()) {
      try (Stream<Path> files = Files.walk(indexDirectory(SPACE).get())) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Barrier that stops followers before they read from the store, while it is shut. */
  private static final class ReadBarrier implements AutoCloseable {
    private volatile CountDownLatch open = new CountDownLatch(0);
    private volatile CountDownLatch arrival = new CountDownLatch(1);

    RecordStore blockingReadsOf(RecordStore store) {
      return (RecordStore)
          Proxy.newProxyInstance(
              RecordStore.class.getClassLoader(),
              new Class<?>[] {RecordStore.class},
              (_, method, arguments) -> {
                if (method.getName().equals("read")
                    && Thread.currentThread().getName().startsWith("caliber-search")) {
                  awaitUnblocked();
                }
                try {
                  return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    void block() {
      arrival = new CountDownLatch(1);
      open = new CountDownLatch(1);
    }

    private void awaitUnblocked() {
      arrival.countDown();
      awaitLatch(open);
    }

    void awaitBlockedReader() {
      awaitLatch(arrival);
    }

    private static void awaitLatch(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      open.countDown();
    }
  }

  @Test
  @DisplayName(
      "REC-10, J-40: without the model it is unknown which vectors are used: none is removed")
  void anIndexWithoutAModelPrunesNothing() {
    SearchNode first = openNode(Optional.of(embedder));
    first.put(
        TestMessage.of("a", "tea with milk"), TestMessage.of("b", "coffee").inSession("t", 1));
    first.embedAll();
    int embedded = embedder.embeddedPassages();
    first.delete("b");
    first.awaitIndexed();
    closeSearch();
    clock.advance(searchConfig().embedding().cacheRetention().plusSeconds(1));
    SearchNode plain =
        openNode(searchConfig(), Optional.empty(), first.store(), TestMessage.SEARCHABLE);
    plain.put(TestMessage.of("a", "tea with milk").withSpeaker("bob"));
    plain.awaitIndexed();
    assertThat(prune(plain)).isEqualTo(NOTHING);
    closeSearch();
    SearchNode again =
        openNode(searchConfig(), Optional.of(embedder), first.store(), TestMessage.SEARCHABLE);
    again.embedAll();
    assertThat(prune(again)).isEqualTo(new SearchIndex.VectorPruneResult(1, false));
    assertThat(embedder.embeddedPassages()).as("none was embedded again").isEqualTo(embedded);
  }

  @Test
  @DisplayName("REC-10: a batch is never larger than a page of the store, nor than a short commit")
  void aBatchIsBounded() {
    SearchNode searchNode = openNode(Optional.of(embedder));
    for (int i = 0; i < SOME; i++) {
      searchNode.put(TestMessage.of("m" + i, "text number " + i));
    }
    searchNode.embedAll();
    IntStream.range(0, SOME).forEach(i -> searchNode.delete("m" + i));
    searchNode.awaitIndexed();
    clock.advance(searchConfig().embedding().cacheRetention().plusSeconds(1));
    int removed = 0;
    SearchIndex.VectorPruneResult vectorPruneResult;
    do {
      searchNode.awaitIndexed();
      vectorPruneResult =
          searchNode.store().write(SPACE, all -> searchNode.search().pruneVectors(all, 10_000));
      assertThat(vectorPruneResult.removed()).isLessThan(SOME);
      removed += vectorPruneResult.removed();
    } while (vectorPruneResult.more());
    assertThat(removed).isEqualTo(SOME);
  }

  private static SearchIndex.VectorPruneResult prune(SearchNode searchNode) {
    return searchNode
        .store()
        .write(SPACE, transaction -> searchNode.search().pruneVectors(transaction, 100));
  }

  @Test
  void oneRecordThatCannotBeIndexedHoldsBackNoOther() {
    Searchable<TestMessage> brittle =
        TestMessage.SEARCHABLE.title(
            testMessage -> {
              if (testMessage.text().contains("broken")) {
                throw new IllegalStateException("This record has no title");
              }
              return "title";
            });
    SearchNode searchNode = openNode(searchConfig(), Optional.empty(), brittle);
    searchNode.put(TestMessage.of("a", "broken"), TestMessage.of("b", "tea"));
    searchNode.put(TestMessage.of("c", "tea"));
    assertThat(searchNode.searchKeys(query("tea").withWeights(ONLY_WORDS)))
        .containsExactly("b", "c");
    assertThat(searchNode.search().status(SPACE).failed()).isEqualTo(1);
    searchNode.search().rebuild(SPACE, ProgressListener.NONE);
    assertThat(searchNode.search().status(SPACE).failed()).isEqualTo(1);
    assertThat(searchNode.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
    searchNode.put(TestMessage.of("a", "mended tea"));
    assertThat(searchNode.searchKeys(query("tea").withWeights(ONLY_WORDS))).contains("a");
    assertThat(searchNode.search().status(SPACE).failed()).isZero();
  }

  @Test
  void whatDoesNotBelongToTheIndexIsLeftAlone() throws IOException {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.awaitIndexed();
    if (indexDirectory(SPACE).isEmpty()) {
      return;
    }
    Path foreign = indexDirectory(SPACE).get().resolve("16");
    Path similar = indexDirectory(SPACE).get().resolve("000001-notes");
    Files.createDirectories(foreign);
    Files.createDirectories(similar);
    Path kept = Files.writeString(foreign.resolve("PG_VERSION"), "16");
    closeNodes();
    SearchNode again = openNode(Optional.empty());
    assertThat(again.searchKeys(query("tea"))).containsExactly("a");
    assertThat(kept).hasContent("16");
    assertThat(similar).exists();
  }

  @Test
  void troubleThatMayPassCostsNoIndex() throws IOException {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.awaitIndexed();
    if (indexDirectory(SPACE).isEmpty()) {
      return;
    }
    String before = searchNode.search().status(SPACE).generation();
    Path recipe = indexDirectory(SPACE).get().resolve(before).resolve("index.json");
    Path aside = indexes.resolve("index.json");
    closeNodes();
    Files.move(recipe, aside);
    Files.createDirectory(recipe); // reading it now fails, though it exists
    SearchNode again = openNode(Optional.empty());
    assertThat(faultInStatus(again)).isNotBlank();
    Files.delete(recipe);
    Files.move(aside, recipe);
    assertThat(again.searchKeys(query("tea"))).containsExactly("a");
    assertThat(again.search().status(SPACE).generation()).isEqualTo(before);
  }

  /** Returns the fault in the status after a failed attempt. */
  private static String faultInStatus(SearchNode searchNode) {
    String degraded = "";
    while (degraded.isEmpty() || degraded.equals("the index is still being built")) {
      degraded = searchNode.search().status(SPACE).degraded().orElse("");
      Thread.onSpinWait();
    }
    return degraded;
  }

  @Test
  void aSecondProcessIsToldAndChangesNothing() {
    SearchNode first = openNode(Optional.empty());
    first.put(TestMessage.of("a", "tea"));
    first.awaitIndexed();
    if (indexDirectory(SPACE).isEmpty()) {
      return;
    }
    SearchNode second =
        openNode(searchConfig(), Optional.empty(), first.store(), TestMessage.SEARCHABLE);
    assertThat(faultInStatus(second)).contains("another process uses the directory");
    SearchContract.assertRefused(
        SearchErrorCode.INDEX_IN_USE, () -> second.search().rebuild(SPACE, ProgressListener.NONE));
    assertThat(faultInStatus(second)).contains("another process uses the directory");
    first.search().close();
    assertThat(second.searchKeys(query("tea"))).containsExactly("a");
  }

  @Test
  void damageThatASearchFindsIsRepaired() throws IOException {
    SearchNode searchNode = openNode(Optional.empty());
    IntStream.range(0, 200)
        .forEach(i -> searchNode.put(TestMessage.of("m" + i, "tea number " + i)));
    searchNode.search().rebuild(SPACE, ProgressListener.NONE);
    if (indexDirectory(SPACE).isEmpty()) {
      return;
    }
    String damaged = searchNode.search().status(SPACE).generation();
    overwriteSegments(indexDirectory(SPACE).get().resolve(damaged));
    SearchQuery asked = SearchQuery.of(SPACE, "tea number", 200);
    String answering = damaged;
    while (answering.equals(damaged)) {
      try {
        answering = searchNode.search().search(asked).generation();
      } catch (RuntimeException _) {
        Thread.onSpinWait(); // the fault is being noticed
      }
    }
    searchNode.awaitIndexed();
    assertThat(searchNode.search().search(asked).hits()).hasSize(200);
    assertThat(searchNode.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
  }

  /** Overwrites most of every file with segments while they are searched. */
  private static void overwriteSegments(Path generation) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(generation)) {
      files = walk.filter(file -> file.toString().matches(".*\\.(doc|tim|dvd|cfs)")).toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        byte[] noise = new byte[(int) (channel.size() * 8 / 10)];
        java.util.Arrays.fill(noise, (byte) 0x5a);
        channel.write(ByteBuffer.wrap(noise), channel.size() / 10);
      }
    }
  }

  @Test
  void aLongQueryIsAnswered() {
    SearchNode searchNode = openNode(Optional.empty());
    searchNode.put(TestMessage.of("a", "tea"), TestMessage.of("b", "coffee").inSession("t", 1));
    StringBuilder page = new StringBuilder("zebra tea");
    IntStream.range(0, 3000).forEach(i -> page.append(" word").append(i));
    SearchQuery asked = query(page.toString()).withWeights(ONLY_WORDS);
    assertThat(searchNode.searchKeys(asked)).containsExactly("a");
    assertThat(searchNode.searchKeys(asked.withFilter(SearchFilter.equal("speaker", "ann"))))
        .containsExactly("a");
    List<String> names = IntStream.range(0, 3000).mapToObj(i -> "n" + i).toList();
    List<String> withAnn = Stream.concat(names.stream(), Stream.of("ann")).toList();
    assertThat(
            searchNode.searchKeys(query("tea").withFilter(SearchFilter.anyOf("speaker", withAnn))))
        .contains("a");
  }

  @Test
  void manyEqualDocumentsAreOrderedByTheirIds() {
    SearchNode searchNode = openNode(Optional.of(embedder));
    TestMessage[] equal =
        IntStream.range(0, 700)
            .mapToObj(
                i -> TestMessage.of("m%03d".formatted(699 - i), "thanks").inSession("s" + i, 0))
            .toArray(TestMessage[]::new);
    searchNode.put(equal);
    searchNode.embedAll();
    List<String> first = IntStream.range(0, 3).mapToObj("m%03d"::formatted).toList();
    SearchQuery asked = SearchQuery.of(SPACE, "thanks", 3);
    assertThat(searchNode.searchKeys(asked.withWeights(ONLY_WORDS))).isEqualTo(first);
    assertThat(searchNode.searchKeys(asked.withWeights(ONLY_VECTORS))).isEqualTo(first);
    assertThat(searchNode.searchKeys(asked)).isEqualTo(first);
  }

  @Test
  void textsAreCutAsTheIndexWantsThem() {
    SearchNode before = openNode(searchConfig(), Optional.of(embedder), TestMessage.SEARCHABLE);
    before.put(TestMessage.of("a", "tea"));
    before.embedAll();
    if (indexDirectory(SPACE).isEmpty()) {
      return;
    }
    closeNodes();
    SearchConfig shorter =
        SearchConsistencyContract.withMigrationOnCommand(searchConfig())
            .with("search.chunks.characters = 100", "search.chunks.overlap = 10");
    SearchNode after = openNode(shorter, Optional.of(embedder), TestMessage.SEARCHABLE);
    after.put(TestMessage.of("b", "A sentence about tea and the harbour. ".repeat(20)));
    after.embedAll();
    SearchStatus status = after.search().status(SPACE);
    assertThat(status.vectors()).as("the index was made for longer pieces").isEqualTo(2);
    assertThat(after.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
  }

  @Test
  void aMigrationOfManyVectorsIsComplete() {
    SearchConfig small =
        searchConfig()
            .with(
                "search.dense.exact-below = 10",
                "search.dense.exact-below-filtered = 10",
                "search.dense.graph-min-vectors = 10");
    SearchNode searchNode = openNode(small, Optional.of(embedder), TestMessage.SEARCHABLE);
    searchNode.put(
        IntStream.range(0, 300)
            .mapToObj(i -> TestMessage.of("m" + i, "tea number " + i).inSession("s" + i % 7, i))
            .toArray(TestMessage[]::new));
    searchNode.embedAll();
    searchNode.search().rebuild(SPACE, ProgressListener.NONE);
    assertThat(searchNode.search().status(SPACE).vectors()).isEqualTo(300);
    assertThat(searchNode.searchKeys(query("tea number 17").withWeights(ONLY_VECTORS)))
        .startsWith("m17");
    assertThat(searchNode.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
  }

  @Test
  void anEmbedderThatFailsIsLeftAloneForAWhile() {
    SearchNode searchNode = openNode(Optional.of(embedder));
    searchNode.put(TestMessage.of("a", "tea"));
    searchNode.embedAll();
    embedder.setFault(FaultyEmbedder.EmbedderFault.AWAY);
    assertThat(searchNode.searchText("one").degraded().orElseThrow()).contains("no answer");
    int calls = embedder.calls();
    assertThat(searchNode.searchText("two").degraded().orElseThrow()).contains("no answer");
    assertThat(embedder.calls()).isEqualTo(calls);
    clock.advance(Duration.ofMinutes(1));
    embedder.setFault(FaultyEmbedder.EmbedderFault.NONE);
    assertThat(searchNode.searchText("two").degraded()).isEmpty();
  }

  @Test
  void oneTextThatFailsForAWhileHoldsBackNoOther() {
    SearchNode searchNode = openNode(Optional.of(embedder));
    embedder.setFault(FaultyEmbedder.EmbedderFault.STUCK);
    searchNode.put(TestMessage.of("a", "stuck"));
    for (int i = 0; i < 200; i++) {
      searchNode.put(TestMessage.of("m" + i, "tea number " + i).inSession("s" + i, i));
    }
    searchNode.awaitIndexed();
    while (searchNode.search().status(SPACE).backlog() > 1) {
      searchNode.jobs().runDue(SPACE);
      searchNode.awaitIndexed();
    }
    assertThat(searchNode.search().status(SPACE).degraded().orElseThrow())
        .contains("it failed inside");
    embedder.setFault(FaultyEmbedder.EmbedderFault.NONE);
    clock.advance(Duration.ofHours(1));
    searchNode.embedAll();
    assertThat(searchNode.search().status(SPACE).vectors()).isEqualTo(201);
  }
}
