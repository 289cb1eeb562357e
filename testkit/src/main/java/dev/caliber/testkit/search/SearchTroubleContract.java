package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.store.Progress;
import dev.caliber.store.RecordStore;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.search.Searchable;
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

/** What goes wrong is confined to what it is about, is said, and ends when its cause does. */
public abstract class SearchTroubleContract extends SearchFixture {

  private static final int MANY = 1536;
  private static final int SOME = 150;
  private static final SearchIndex.Pruned NOTHING = new SearchIndex.Pruned(0, false);

  private final HostileEmbedder embedder = new HostileEmbedder("test", DIMENSIONS);

  @Test
  @DisplayName("VEC-01: a model may have more than 1024 dimensions")
  void largeVectorsAreIndexed() {
    Node node = node(Optional.of(new HostileEmbedder("large", MANY)));
    node.put(Message.of("a", "tea with milk"), Message.of("b", "coffee").in("t", 1));
    node.embed();
    assertThat(node.search().status(SPACE).vectors()).isEqualTo(2);
    assertThat(node.keys(query("tea with milk").weighing(ONLY_VECTORS))).startsWith("a");
    node.search().rebuild(SPACE, Progress.NONE);
    assertThat(node.search().check(SPACE, Progress.NONE).differences()).isZero();
  }

  @Test
  @DisplayName("REC-10, J-40: old vectors that no document has go; the others stay as they are")
  void oldVectorsArePruned() {
    Node node = node(Optional.of(embedder));
    node.put(Message.of("a", "tea with milk"), Message.of("b", "coffee").in("t", 1));
    node.embed();
    int embedded = embedder.texts();
    node.delete("b");
    node.settle();
    assertThat(prune(node)).isEqualTo(new SearchIndex.Pruned(0, false));
    clock.advance(settings().embedding().cacheRetention().plusSeconds(1));
    assertThat(prune(node)).isEqualTo(new SearchIndex.Pruned(1, false));
    node.settle();
    assertThat(prune(node)).isEqualTo(new SearchIndex.Pruned(0, false));
    node.search().rebuild(SPACE, Progress.NONE);
    node.embed();
    assertThat(embedder.texts()).isEqualTo(embedded);
    assertThat(node.keys(query("tea with milk").weighing(ONLY_VECTORS))).startsWith("a");
    node.put(Message.of("b", "coffee").in("t", 1));
    node.embed();
    assertThat(embedder.texts()).isEqualTo(embedded + 1);
    assertThat(node.search().status(SPACE).vectors()).isEqualTo(2);
  }

  @Test
  @DisplayName("REC-10, J-40: an index that is half-built or behind takes no vectors away")
  void anIndexThatDoesNotKnowAllPrunesNothing() throws IOException {
    Gate gate = new Gate();
    RecordStore store = gate.before(open(tables()));
    Node first = node(settings(), Optional.of(embedder), store, Message.SEARCHABLE);
    first.put(Message.of("a", "tea with milk"), Message.of("b", "coffee").in("t", 1));
    first.embed();
    int embedded = embedder.texts();
    first.delete("b");
    first.settle();
    clock.advance(settings().embedding().cacheRetention().plusSeconds(1));
    try (gate) {
      gate.shut();
      first.put(Message.of("c", "tea with milk"));
      assertThat(prune(first)).as("behind").isEqualTo(NOTHING);
      gate.close();
      first.embed();
      closeSearch();
      removeIndex();
      gate.shut();
      Node second = node(settings(), Optional.of(embedder), store, Message.SEARCHABLE);
      gate.awaitSomebody();
      assertThat(prune(second)).as("half-built").isEqualTo(NOTHING);
      gate.close();
      second.embed();
      assertThat(prune(second)).isEqualTo(new SearchIndex.Pruned(1, false));
      assertThat(embedder.texts()).as("none was embedded again").isEqualTo(embedded);
    }
  }

  private void removeIndex() throws IOException {
    if (place(SPACE).isPresent()) {
      try (Stream<Path> files = Files.walk(place(SPACE).get())) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Holds up those who follow, before they read from the store, while it is shut. */
  private static final class Gate implements AutoCloseable {
    private volatile CountDownLatch open = new CountDownLatch(0);
    private volatile CountDownLatch arrival = new CountDownLatch(1);

    RecordStore before(RecordStore store) {
      return (RecordStore)
          Proxy.newProxyInstance(
              RecordStore.class.getClassLoader(),
              new Class<?>[] {RecordStore.class},
              (_, method, arguments) -> {
                if (method.getName().equals("read")
                    && Thread.currentThread().getName().startsWith("caliber-search")) {
                  pass();
                }
                try {
                  return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    void shut() {
      arrival = new CountDownLatch(1);
      open = new CountDownLatch(1);
    }

    private void pass() {
      arrival.countDown();
      await(open);
    }

    void awaitSomebody() {
      await(arrival);
    }

    private static void await(CountDownLatch latch) {
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
  @DisplayName("REC-10, J-40: without the model nobody knows which vectors are used: none goes")
  void anIndexWithoutAModelPrunesNothing() {
    Node first = node(Optional.of(embedder));
    first.put(Message.of("a", "tea with milk"), Message.of("b", "coffee").in("t", 1));
    first.embed();
    int embedded = embedder.texts();
    first.delete("b");
    first.settle();
    closeSearch();
    clock.advance(settings().embedding().cacheRetention().plusSeconds(1));
    Node plain = node(settings(), Optional.empty(), first.store(), Message.SEARCHABLE);
    plain.put(Message.of("a", "tea with milk").by("bob"));
    plain.settle();
    assertThat(prune(plain)).isEqualTo(NOTHING);
    closeSearch();
    Node again = node(settings(), Optional.of(embedder), first.store(), Message.SEARCHABLE);
    again.embed();
    assertThat(prune(again)).isEqualTo(new SearchIndex.Pruned(1, false));
    assertThat(embedder.texts()).as("none was embedded again").isEqualTo(embedded);
  }

  @Test
  @DisplayName("REC-10: a batch is never larger than a page of the store, nor than a short commit")
  void aBatchIsBounded() {
    Node node = node(Optional.of(embedder));
    for (int i = 0; i < SOME; i++) {
      node.put(Message.of("m" + i, "text number " + i));
    }
    node.embed();
    IntStream.range(0, SOME).forEach(i -> node.delete("m" + i));
    node.settle();
    clock.advance(settings().embedding().cacheRetention().plusSeconds(1));
    int removed = 0;
    SearchIndex.Pruned pruned;
    do {
      node.settle();
      pruned = node.store().write(SPACE, all -> node.search().prune(all, 10_000));
      assertThat(pruned.removed()).isLessThan(SOME);
      removed += pruned.removed();
    } while (pruned.more());
    assertThat(removed).isEqualTo(SOME);
  }

  private static SearchIndex.Pruned prune(Node node) {
    return node.store().write(SPACE, transaction -> node.search().prune(transaction, 100));
  }

  @Test
  void oneRecordThatCannotBeIndexedHoldsBackNoOther() {
    Searchable<Message> brittle =
        Message.SEARCHABLE.title(
            message -> {
              if (message.text().contains("broken")) {
                throw new IllegalStateException("This record has no title");
              }
              return "title";
            });
    Node node = node(settings(), Optional.empty(), brittle);
    node.put(Message.of("a", "broken"), Message.of("b", "tea"));
    node.put(Message.of("c", "tea"));
    assertThat(node.keys(query("tea").weighing(ONLY_WORDS))).containsExactly("b", "c");
    assertThat(node.search().status(SPACE).failed()).isEqualTo(1);
    node.search().rebuild(SPACE, Progress.NONE);
    assertThat(node.search().status(SPACE).failed()).isEqualTo(1);
    assertThat(node.search().check(SPACE, Progress.NONE).differences()).isZero();
    node.put(Message.of("a", "mended tea"));
    assertThat(node.keys(query("tea").weighing(ONLY_WORDS))).contains("a");
    assertThat(node.search().status(SPACE).failed()).isZero();
  }

  @Test
  void whatDoesNotBelongToTheIndexIsLeftAlone() throws IOException {
    Node node = node(Optional.empty());
    node.put(Message.of("a", "tea"));
    node.settle();
    if (place(SPACE).isEmpty()) {
      return;
    }
    Path foreign = place(SPACE).get().resolve("16");
    Path similar = place(SPACE).get().resolve("000001-notes");
    Files.createDirectories(foreign);
    Files.createDirectories(similar);
    Path kept = Files.writeString(foreign.resolve("PG_VERSION"), "16");
    closeNodes();
    Node again = node(Optional.empty());
    assertThat(again.keys(query("tea"))).containsExactly("a");
    assertThat(kept).hasContent("16");
    assertThat(similar).exists();
  }

  @Test
  void troubleThatMayPassCostsNoIndex() throws IOException {
    Node node = node(Optional.empty());
    node.put(Message.of("a", "tea"));
    node.settle();
    if (place(SPACE).isEmpty()) {
      return;
    }
    String before = node.search().status(SPACE).generation();
    Path recipe = place(SPACE).get().resolve(before).resolve("index.json");
    Path aside = indexes.resolve("index.json");
    closeNodes();
    Files.move(recipe, aside);
    Files.createDirectory(recipe); // reading it now fails, and not because it is not there
    Node again = node(Optional.empty());
    assertThat(trouble(again)).isNotBlank();
    Files.delete(recipe);
    Files.move(aside, recipe);
    assertThat(again.keys(query("tea"))).containsExactly("a");
    assertThat(again.search().status(SPACE).generation()).isEqualTo(before);
  }

  /** What status says once an attempt has failed. */
  private static String trouble(Node node) {
    String degraded = "";
    while (degraded.isEmpty() || degraded.equals("the index is being built")) {
      degraded = node.search().status(SPACE).degraded().orElse("");
      Thread.onSpinWait();
    }
    return degraded;
  }

  @Test
  void aSecondProcessIsToldAndChangesNothing() {
    Node first = node(Optional.empty());
    first.put(Message.of("a", "tea"));
    first.settle();
    if (place(SPACE).isEmpty()) {
      return;
    }
    Node second = node(settings(), Optional.empty(), first.store(), Message.SEARCHABLE);
    assertThat(trouble(second)).contains("holds the search index");
    SearchContract.refused(
        SearchErrorCode.INDEX_IN_USE, () -> second.search().rebuild(SPACE, Progress.NONE));
    assertThat(trouble(second)).contains("holds the search index");
    first.search().close();
    assertThat(second.keys(query("tea"))).containsExactly("a");
  }

  @Test
  void damageThatASearchFindsIsRepaired() throws IOException {
    Node node = node(Optional.empty());
    IntStream.range(0, 200).forEach(i -> node.put(Message.of("m" + i, "tea number " + i)));
    node.search().rebuild(SPACE, Progress.NONE);
    if (place(SPACE).isEmpty()) {
      return;
    }
    String damaged = node.search().status(SPACE).generation();
    spoil(place(SPACE).get().resolve(damaged));
    SearchQuery asked = SearchQuery.of(SPACE, "tea number", 200);
    String answering = damaged;
    while (answering.equals(damaged)) {
      try {
        answering = node.search().search(asked).generation();
      } catch (RuntimeException _) {
        Thread.onSpinWait(); // it is being found out
      }
    }
    node.settle();
    assertThat(node.search().search(asked).hits()).hasSize(200);
    assertThat(node.search().check(SPACE, Progress.NONE).differences()).isZero();
  }

  /** Overwrites most of every file with segments, as they are being searched. */
  private static void spoil(Path generation) throws IOException {
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
    Node node = node(Optional.empty());
    node.put(Message.of("a", "tea"), Message.of("b", "coffee").in("t", 1));
    StringBuilder page = new StringBuilder("zebra tea");
    IntStream.range(0, 3000).forEach(i -> page.append(" word").append(i));
    SearchQuery asked = query(page.toString()).weighing(ONLY_WORDS);
    assertThat(node.keys(asked)).containsExactly("a");
    assertThat(node.keys(asked.where(SearchFilter.equal("speaker", "ann")))).containsExactly("a");
    List<String> names = IntStream.range(0, 3000).mapToObj(i -> "n" + i).toList();
    List<String> withAnn = Stream.concat(names.stream(), Stream.of("ann")).toList();
    assertThat(node.keys(query("tea").where(SearchFilter.anyOf("speaker", withAnn)))).contains("a");
  }

  @Test
  void manyEqualDocumentsAreOrderedByTheirIds() {
    Node node = node(Optional.of(embedder));
    Message[] equal =
        IntStream.range(0, 700)
            .mapToObj(i -> Message.of("m%03d".formatted(699 - i), "thanks").in("s" + i, 0))
            .toArray(Message[]::new);
    node.put(equal);
    node.embed();
    List<String> first = IntStream.range(0, 3).mapToObj("m%03d"::formatted).toList();
    SearchQuery asked = SearchQuery.of(SPACE, "thanks", 3);
    assertThat(node.keys(asked.weighing(ONLY_WORDS))).isEqualTo(first);
    assertThat(node.keys(asked.weighing(ONLY_VECTORS))).isEqualTo(first);
    assertThat(node.keys(asked)).isEqualTo(first);
  }

  @Test
  void textsAreCutAsTheIndexWantsThem() {
    Node before = node(settings(), Optional.of(embedder), Message.SEARCHABLE);
    before.put(Message.of("a", "tea"));
    before.embed();
    if (place(SPACE).isEmpty()) {
      return;
    }
    closeNodes();
    SearchConfig shorter =
        SearchTruthContract.onCommand(settings()).withChunks(new SearchConfig.Chunks(100, 10, 64));
    Node after = node(shorter, Optional.of(embedder), Message.SEARCHABLE);
    after.put(Message.of("b", "A sentence about tea and the harbour. ".repeat(20)));
    after.embed();
    SearchStatus status = after.search().status(SPACE);
    assertThat(status.vectors()).as("the index was made for longer pieces").isEqualTo(2);
    assertThat(after.search().check(SPACE, Progress.NONE).differences()).isZero();
  }

  @Test
  void aMigrationOfManyVectorsIsComplete() {
    SearchConfig small = settings().withDense(graphAlways(settings().dense()));
    Node node = node(small, Optional.of(embedder), Message.SEARCHABLE);
    node.put(
        IntStream.range(0, 300)
            .mapToObj(i -> Message.of("m" + i, "tea number " + i).in("s" + i % 7, i))
            .toArray(Message[]::new));
    node.embed();
    node.search().rebuild(SPACE, Progress.NONE);
    assertThat(node.search().status(SPACE).vectors()).isEqualTo(300);
    assertThat(node.keys(query("tea number 17").weighing(ONLY_VECTORS))).startsWith("m17");
    assertThat(node.search().check(SPACE, Progress.NONE).differences()).isZero();
  }

  private static SearchConfig.Dense graphAlways(SearchConfig.Dense dense) {
    return new SearchConfig.Dense(
        dense.metric(),
        dense.index(),
        dense.hnswM(),
        dense.hnswEfConstruction(),
        dense.hnswEfSearch(),
        10,
        10,
        10);
  }

  @Test
  void anEmbedderThatFailsIsLeftAloneForAWhile() {
    Node node = node(Optional.of(embedder));
    node.put(Message.of("a", "tea"));
    node.embed();
    embedder.suffer(HostileEmbedder.Trouble.AWAY);
    assertThat(node.find("one").degraded().orElseThrow()).contains("nobody answers");
    int calls = embedder.calls();
    assertThat(node.find("two").degraded().orElseThrow()).contains("nobody answers");
    assertThat(embedder.calls()).isEqualTo(calls);
    clock.advance(Duration.ofMinutes(1));
    embedder.suffer(HostileEmbedder.Trouble.NONE);
    assertThat(node.find("two").degraded()).isEmpty();
  }

  @Test
  void oneTextThatFailsForAWhileHoldsBackNoOther() {
    Node node = node(Optional.of(embedder));
    embedder.suffer(HostileEmbedder.Trouble.STUCK);
    node.put(Message.of("a", "stuck"));
    for (int i = 0; i < 200; i++) {
      node.put(Message.of("m" + i, "tea number " + i).in("s" + i, i));
    }
    node.settle();
    while (node.search().status(SPACE).backlog() > 1) {
      node.jobs().runDue(SPACE);
      node.settle();
    }
    assertThat(node.search().status(SPACE).degraded().orElseThrow()).contains("it failed inside");
    embedder.suffer(HostileEmbedder.Trouble.NONE);
    clock.advance(Duration.ofHours(1));
    node.embed();
    assertThat(node.search().status(SPACE).vectors()).isEqualTo(201);
  }
}
