package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.RandomSource;
import dev.caliber.store.ProgressListener;
import dev.caliber.store.RecordStore;
import dev.caliber.store.maintenance.ImportMode;
import dev.caliber.store.maintenance.Maintenance;
import dev.caliber.store.search.IndexCheckReport;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.spi.Embedder;
import dev.caliber.testkit.EachEngine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of consistency: whatever happens to an index, in the end it agrees with the records. */
@EachEngine
class SearchConsistencyContract extends SearchFixture {

  private static final int STEPS = 60;
  private static final int KEYS = 15;
  private static final List<String> WORDS =
      List.of(
          "tea", "coffee", "harbour", "train", "zebra", "painted", "painting", "monday", "rain");

  private static final String[] LITERAL = {
    "search.analysis.stemmer = 'none'", "search.analysis.stop-words = []"
  };

  private final FaultyEmbedder embedder = new FaultyEmbedder("test", DIMENSIONS);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  @DisplayName("HNSW-07: after writes, deletes and crashes the index equals one made from scratch")
  void theIndexEqualsOneMadeFromScratch(long seed) throws IOException {
    RandomSource randomSource = RandomSource.seeded(SEED + seed);
    SearchNode searchNode = openNode(Optional.of(embedder));
    for (int i = 0; i < STEPS; i++) {
      searchNode = applyRandomEvent(searchNode, randomSource);
    }
    searchNode.embedAll();
    List<List<SearchHit>> grown = searchResults(searchNode);
    IndexCheckReport held = searchNode.search().check(SPACE, ProgressListener.NONE);
    assertThat(held.examples()).isEmpty();
    searchNode.search().rebuild(SPACE, ProgressListener.NONE);
    IndexCheckReport fresh = searchNode.search().check(SPACE, ProgressListener.NONE);
    assertThat(fresh).isEqualTo(held);
    assertThat(searchResults(searchNode)).isEqualTo(grown);
    assertThat(grown).anyMatch(hits -> !hits.isEmpty());
  }

  private static List<List<SearchHit>> searchResults(SearchNode searchNode) {
    List<List<SearchHit>> answers = new ArrayList<>();
    for (String text : List.of("tea", "paint the zebra", "harbour train rain", "ann coffee")) {
      answers.add(searchNode.searchText(text).hits());
      answers.add(searchNode.search().search(query(text).withWeights(ONLY_VECTORS)).hits());
    }
    return answers;
  }

  private SearchNode applyRandomEvent(SearchNode searchNode, RandomSource randomSource)
      throws IOException {
    switch (randomSource.nextInt(12)) {
      case 0, 1 -> searchNode.delete("k" + randomSource.nextInt(KEYS));
      case 2 -> searchNode.embedAll();
      case 3 -> searchNode.awaitIndexed();
      case 4 -> {
        return crash(searchNode, randomSource);
      }
      default -> searchNode.put(randomMessage(randomSource), randomMessage(randomSource));
    }
    return searchNode;
  }

  private static TestMessage randomMessage(RandomSource randomSource) {
    StringBuilder text = new StringBuilder();
    int words = 1 + randomSource.nextInt(randomSource.nextInt(8) == 0 ? 600 : 8);
    for (int i = 0; i < words; i++) {
      text.append(WORDS.get(randomSource.nextInt(WORDS.size()))).append(i % 7 == 6 ? ". " : " ");
    }
    TestMessage testMessage =
        TestMessage.of("k" + randomSource.nextInt(KEYS), text.toString())
            .inSession("s" + randomSource.nextInt(3), randomSource.nextInt(100))
            .withTags("t" + randomSource.nextInt(3))
            .withLinks("k" + randomSource.nextInt(KEYS), "k" + randomSource.nextInt(KEYS));
    return randomSource.nextInt(10) == 0 ? testMessage.asDraft() : testMessage;
  }

  /** Ends the process and leaves the directory outdated, damaged or deleted. */
  private SearchNode crash(SearchNode searchNode, RandomSource randomSource) throws IOException {
    Optional<Path> home = indexDirectory(SPACE);
    Path copy = indexes.resolve("copy" + randomSource.nextInt(Integer.MAX_VALUE));
    boolean kept = home.isPresent() && Files.exists(home.get());
    if (kept) {
      copy(home.get(), copy); // as a crash at this moment would leave it
    }
    searchNode.put(randomMessage(randomSource));
    if (home.isEmpty()) {
      return reopen(searchNode, searchConfig(), Optional.of(embedder));
    }
    closeNodes();
    if (kept) {
      damageIndex(home.get(), copy, randomSource);
    }
    return openNode(Optional.of(embedder));
  }

  private static void damageIndex(Path home, Path copy, RandomSource randomSource)
      throws IOException {
    switch (randomSource.nextInt(4)) {
      case 0 -> delete(home);
      case 1 -> {
        delete(home);
        copy(copy, home);
      }
      case 2 -> truncateOneFile(home, randomSource);
      default -> {
        // closed normally
      }
    }
  }

  private static void truncateOneFile(Path home, RandomSource randomSource) throws IOException {
    List<Path> files = listFiles(home).stream().filter(file -> sizeOf(file) > 1).toList();
    if (!files.isEmpty()) {
      Path file = files.get(randomSource.nextInt(files.size()));
      byte[] bytes = Files.readAllBytes(file);
      Files.write(
          file,
          java.util.Arrays.copyOf(bytes, bytes.length / 2),
          StandardOpenOption.TRUNCATE_EXISTING);
    }
  }

  private static long sizeOf(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lists the files, which may appear and vanish meanwhile. */
  private static List<Path> listFiles(Path home) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return files.stream().sorted().toList();
  }

  /**
   * Copies the files. One that vanishes meanwhile is not copied, as it would be missing after a
   * crash, too.
   */
  private static void copy(Path from, Path to) throws IOException {
    for (Path file : listFiles(from)) {
      Path target = to.resolve(from.relativize(file).toString());
      Files.createDirectories(target.getParent());
      try {
        Files.copy(file, target);
      } catch (java.nio.file.NoSuchFileException _) {
        Files.deleteIfExists(target);
      }
    }
  }

  private static void delete(Path home) throws IOException {
    if (Files.exists(home)) {
      List<Path> all;
      try (Stream<Path> walk = Files.walk(home)) {
        all = walk.sorted(java.util.Comparator.reverseOrder()).toList();
      }
      for (Path file : all) {
        Files.delete(file);
      }
    }
  }

  @Test
  void contentThatWasReplacedIsIndexedAnew() throws IOException {
    SearchNode searchNode = openNode(Optional.of(embedder));
    searchNode.put(TestMessage.of("a", "tea"), TestMessage.of("b", "coffee"));
    searchNode.embedAll();
    Path file = indexes.resolve("export.jsonl");
    try (OutputStream out = Files.newOutputStream(file)) {
      Maintenance.of(searchNode.store()).export(out, Optional.of(SPACE), ProgressListener.NONE);
    }
    searchNode.delete("b");
    searchNode.put(TestMessage.of("a", "changed"));
    searchNode.awaitIndexed();
    Maintenance.of(searchNode.store()).importFrom(file, ImportMode.REPLACE, ProgressListener.NONE);
    assertThat(searchNode.searchKeys(query("tea").withWeights(ONLY_WORDS))).containsExactly("a");
    assertThat(searchNode.searchKeys(query("coffee").withWeights(ONLY_WORDS))).containsExactly("b");
    assertThat(searchNode.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
  }

  @Test
  @DisplayName(
      "VEC-07, VEC-08: another model builds a new index beside the old one, which answers until then")
  void anotherModelIsAnotherIndex() {
    SearchConfig onCommand = withMigrationOnCommand(searchConfig());
    SearchNode before = openNode(onCommand, Optional.of(embedder), TestMessage.SEARCHABLE);
    before.put(TestMessage.of("a", "tea"), TestMessage.of("b", "coffee").inSession("t", 1));
    before.embedAll();
    String first = before.search().status(SPACE).generation();
    Embedder other = new FaultyEmbedder("other", 2 * DIMENSIONS);
    SearchNode after = reopen(before, onCommand, Optional.of(other));
    if (indexDirectory(SPACE).isPresent()) {
      SearchResult old = after.searchText("tea");
      assertThat(old.generation()).isEqualTo(first);
      assertThat(old.hits()).extracting(SearchHit::key).containsExactly("a");
      assertThat(old.degraded().orElseThrow()).contains("model 'test'");
      after.put(TestMessage.of("c", "tea").inSession("u", 1));
      assertThat(after.searchKeys(query("tea").withWeights(ONLY_WORDS))).containsExactly("a", "c");
      assertThat(after.search().migrate(SPACE, ProgressListener.NONE)).isTrue();
      assertThat(after.search().status(SPACE).backlog()).as("all are embedded anew").isEqualTo(3);
    }
    after.embedAll();
    assertThat(after.search().migrate(SPACE, ProgressListener.NONE)).isFalse();
    SearchStatus status = after.search().status(SPACE);
    assertThat(status.model()).contains("other");
    assertThat(status.generation()).isNotEqualTo(first);
    assertThat(after.searchText("tea").degraded()).isEmpty();
    assertThat(after.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
  }

  @Test
  void aModelThatIsMissingForAWhileCostsNoVectors() {
    SearchNode before = openNode(Optional.of(embedder));
    before.put(TestMessage.of("a", "tea"));
    before.embedAll();
    int texts = embedder.embeddedPassages();
    SearchNode without = reopen(before, searchConfig(), Optional.empty());
    assertThat(without.searchText("tea").hits()).hasSize(1);
    without.put(TestMessage.of("a", "tea").withSpeaker("bob"), TestMessage.of("b", "coffee"));
    assertThat(without.searchKeys(query("coffee").withWeights(ONLY_WORDS))).containsExactly("b");
    SearchNode again = reopen(without, searchConfig(), Optional.of(embedder));
    again.embedAll();
    assertThat(again.search().status(SPACE).vectors()).isEqualTo(2);
    assertThat(embedder.embeddedPassages()).isEqualTo(texts + 1);
  }

  @Test
  void anIndexWhoseBuildingWasBrokenOffGoesOn() throws IOException {
    SearchConfig slowly = withSmallBatches(searchConfig());
    SearchNode searchNode = openNode(slowly, Optional.empty(), TestMessage.SEARCHABLE);
    for (int i = 0; i < 100; i++) {
      searchNode.put(TestMessage.of("m" + i, "tea number " + i).inSession("s", i));
    }
    searchNode.awaitIndexed();
    if (indexDirectory(SPACE).isPresent()) {
      closeNodes();
      delete(indexDirectory(SPACE).get());
      searchNode = openNode(slowly, Optional.empty(), TestMessage.SEARCHABLE);
      searchNode.search().status(SPACE);
      closeNodes(); // somewhere in the middle
      searchNode = openNode(slowly, Optional.empty(), TestMessage.SEARCHABLE);
    }
    searchNode.awaitIndexed();
    assertThat(searchNode.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
    assertThat(searchNode.search().status(SPACE).documents()).isEqualTo(100);
  }

  @Test
  @DisplayName("VEC-09: an interrupted migration leaves the old index, and continues later")
  void aMigrationThatIsBrokenOffLeavesTheOldIndex() {
    SearchNode searchNode = openNode(Optional.empty());
    for (int i = 0; i < 100; i++) {
      searchNode.put(TestMessage.of("m" + i, "painting number " + i).inSession("s", i));
    }
    searchNode.awaitIndexed();
    String old = searchNode.search().status(SPACE).generation();
    SearchConfig literal = withSmallBatches(searchConfig()).with(LITERAL);
    for (int i = 0; i < 3; i++) { // begun at each opening, interrupted in the middle
      searchNode = reopen(searchNode, literal, Optional.empty());
      List<SearchHit> found =
          searchNode.search().search(query("painting").withWeights(ONLY_WORDS)).hits();
      assertThat(found)
          .hasSizeBetween(
              indexDirectory(SPACE).isPresent() ? 10 : 0,
              10); // an index in memory is never outdated
    }
    searchNode.search().migrate(SPACE, ProgressListener.NONE);
    SearchStatus status = searchNode.search().status(SPACE);
    assertThat(status.generation()).isNotEqualTo(old);
    assertThat(status.building()).isEmpty();
    assertThat(searchNode.searchKeys(query("painted").withWeights(ONLY_WORDS))).isEmpty();
    assertThat(searchNode.search().check(SPACE, ProgressListener.NONE).differences()).isZero();
  }

  private static SearchConfig withSmallBatches(SearchConfig config) {
    return config.with(
        "search.indexing.commits-per-step = 3", "search.indexing.records-per-step = 1");
  }

  @Test
  void otherAnalysisBuildsAnotherIndexByItself() {
    SearchNode before = openNode(Optional.empty());
    before.put(TestMessage.of("a", "painting"));
    assertThat(before.searchKeys(query("painted"))).containsExactly("a");
    SearchConfig literal = searchConfig().with(LITERAL);
    SearchNode after = reopen(before, literal, Optional.empty());
    after.search().migrate(SPACE, ProgressListener.NONE);
    assertThat(after.searchKeys(query("painted"))).isEmpty();
    assertThat(after.searchKeys(query("painting"))).containsExactly("a");
  }

  @Test
  void anIndexGoesOnWhereItWasAfterARestart() {
    SearchNode before = openNode(Optional.of(embedder));
    before.put(TestMessage.of("a", "tea"));
    before.embedAll();
    String generation = before.search().status(SPACE).generation();
    SearchNode after = reopen(before, searchConfig(), Optional.of(embedder));
    after.put(TestMessage.of("b", "tea"));
    assertThat(after.searchKeys(query("tea").withWeights(ONLY_WORDS))).containsExactly("a", "b");
    assertThat(after.search().status(SPACE).generation()).isEqualTo(generation); // not rebuilt
  }

  static SearchConfig withMigrationOnCommand(SearchConfig config) {
    return config.with("search.migration = 'command'");
  }

  /** Opens another process on the same store; for one in memory, only search is reopened. */
  private SearchNode reopen(SearchNode before, SearchConfig config, Optional<Embedder> with) {
    RecordStore store = before.store();
    closeSearch();
    if (indexDirectory(SPACE).isEmpty()) {
      return openNode(config, with, store, TestMessage.SEARCHABLE);
    }
    closeStores();
    return openNode(config, with, TestMessage.SEARCHABLE);
  }
}
