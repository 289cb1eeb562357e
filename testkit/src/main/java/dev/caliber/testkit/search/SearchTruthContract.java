package dev.caliber.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.store.ImportMode;
import dev.caliber.store.Maintenance;
import dev.caliber.store.Progress;
import dev.caliber.store.RecordStore;
import dev.caliber.store.search.IndexCheck;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchResult;
import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.spi.Embedder;
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

/** Whatever happens to an index, in the end it holds what the records say. */
public abstract class SearchTruthContract extends SearchFixture {

  private static final int STEPS = 60;
  private static final int KEYS = 15;
  private static final List<String> WORDS =
      List.of(
          "tea", "coffee", "harbour", "train", "zebra", "painted", "painting", "monday", "rain");

  private static final SearchConfig.Analysis LITERAL =
      new SearchConfig.Analysis(SearchConfig.Stemmer.NONE, List.of());

  private final HostileEmbedder embedder = new HostileEmbedder("test", DIMENSIONS);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  @DisplayName("HNSW-07: after writes, deletes and crashes the index equals one made from scratch")
  void theIndexEqualsOneMadeFromScratch(long seed) throws IOException {
    Chance chance = Chance.seeded(SEED + seed);
    Node node = node(Optional.of(embedder));
    for (int i = 0; i < STEPS; i++) {
      node = happen(node, chance);
    }
    node.embed();
    List<List<SearchHit>> grown = answers(node);
    IndexCheck held = node.search().check(SPACE, Progress.NONE);
    assertThat(held.examples()).isEmpty();
    node.search().rebuild(SPACE, Progress.NONE);
    IndexCheck fresh = node.search().check(SPACE, Progress.NONE);
    assertThat(fresh).isEqualTo(held);
    assertThat(answers(node)).isEqualTo(grown);
    assertThat(grown).anyMatch(hits -> !hits.isEmpty());
  }

  private static List<List<SearchHit>> answers(Node node) {
    List<List<SearchHit>> answers = new ArrayList<>();
    for (String text : List.of("tea", "paint the zebra", "harbour train rain", "ann coffee")) {
      answers.add(node.find(text).hits());
      answers.add(node.search().search(query(text).weighing(ONLY_VECTORS)).hits());
    }
    return answers;
  }

  private Node happen(Node node, Chance chance) throws IOException {
    switch (chance.nextInt(12)) {
      case 0, 1 -> node.delete("k" + chance.nextInt(KEYS));
      case 2 -> node.embed();
      case 3 -> node.settle();
      case 4 -> {
        return crash(node, chance);
      }
      default -> node.put(random(chance), random(chance));
    }
    return node;
  }

  private static Message random(Chance chance) {
    StringBuilder text = new StringBuilder();
    int words = 1 + chance.nextInt(chance.nextInt(8) == 0 ? 600 : 8);
    for (int i = 0; i < words; i++) {
      text.append(WORDS.get(chance.nextInt(WORDS.size()))).append(i % 7 == 6 ? ". " : " ");
    }
    Message message =
        Message.of("k" + chance.nextInt(KEYS), text.toString())
            .in("s" + chance.nextInt(3), chance.nextInt(100))
            .tagged("t" + chance.nextInt(3))
            .linking("k" + chance.nextInt(KEYS), "k" + chance.nextInt(KEYS));
    return chance.nextInt(10) == 0 ? message.asDraft() : message;
  }

  /** The process ends; what the directory holds then is old, damaged or gone. */
  private Node crash(Node node, Chance chance) throws IOException {
    Optional<Path> home = place(SPACE);
    Path copy = indexes.resolve("copy" + chance.nextInt(Integer.MAX_VALUE));
    boolean kept = home.isPresent() && Files.exists(home.get());
    if (kept) {
      copy(home.get(), copy); // as a crash at this moment would leave it
    }
    node.put(random(chance));
    if (home.isEmpty()) {
      return reopened(node, settings(), Optional.of(embedder));
    }
    closeNodes();
    if (kept) {
      spoil(home.get(), copy, chance);
    }
    return node(Optional.of(embedder));
  }

  private static void spoil(Path home, Path copy, Chance chance) throws IOException {
    switch (chance.nextInt(4)) {
      case 0 -> delete(home);
      case 1 -> {
        delete(home);
        copy(copy, home);
      }
      case 2 -> truncateOne(home, chance);
      default -> {
        // closed in good order
      }
    }
  }

  private static void truncateOne(Path home, Chance chance) throws IOException {
    List<Path> files = files(home).stream().filter(file -> size(file) > 1).toList();
    if (!files.isEmpty()) {
      Path file = files.get(chance.nextInt(files.size()));
      byte[] bytes = Files.readAllBytes(file);
      Files.write(
          file,
          java.util.Arrays.copyOf(bytes, bytes.length / 2),
          StandardOpenOption.TRUNCATE_EXISTING);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files may come and go while they are listed. */
  private static List<Path> files(Path home) throws IOException {
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

  /** What vanishes meanwhile is not copied, as it would not be there after a crash either. */
  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
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
    Node node = node(Optional.of(embedder));
    node.put(Message.of("a", "tea"), Message.of("b", "coffee"));
    node.embed();
    Path file = indexes.resolve("export.jsonl");
    try (OutputStream out = Files.newOutputStream(file)) {
      Maintenance.of(node.store()).export(out, Optional.of(SPACE), Progress.NONE);
    }
    node.delete("b");
    node.put(Message.of("a", "changed"));
    node.settle();
    Maintenance.of(node.store()).importFrom(file, ImportMode.REPLACE, Progress.NONE);
    assertThat(node.keys(query("tea").weighing(ONLY_WORDS))).containsExactly("a");
    assertThat(node.keys(query("coffee").weighing(ONLY_WORDS))).containsExactly("b");
    assertThat(node.search().check(SPACE, Progress.NONE).differences()).isZero();
  }

  @Test
  @DisplayName(
      "VEC-07, VEC-08: another model builds a new index beside the old one, which answers until then")
  void anotherModelIsAnotherIndex() {
    SearchConfig onCommand = onCommand(settings());
    Node before = node(onCommand, Optional.of(embedder), Message.SEARCHABLE);
    before.put(Message.of("a", "tea"), Message.of("b", "coffee").in("t", 1));
    before.embed();
    String first = before.search().status(SPACE).generation();
    Embedder other = new HostileEmbedder("other", 2 * DIMENSIONS);
    Node after = reopened(before, onCommand, Optional.of(other));
    if (place(SPACE).isPresent()) {
      SearchResult old = after.find("tea");
      assertThat(old.generation()).isEqualTo(first);
      assertThat(old.hits()).extracting(SearchHit::key).containsExactly("a");
      assertThat(old.degraded().orElseThrow()).contains("model 'test'");
      after.put(Message.of("c", "tea").in("u", 1));
      assertThat(after.keys(query("tea").weighing(ONLY_WORDS))).containsExactly("a", "c");
      assertThat(after.search().migrate(SPACE, Progress.NONE)).isTrue();
      assertThat(after.search().status(SPACE).backlog()).as("all are embedded anew").isEqualTo(3);
    }
    after.embed();
    assertThat(after.search().migrate(SPACE, Progress.NONE)).isFalse();
    SearchStatus status = after.search().status(SPACE);
    assertThat(status.model()).contains("other");
    assertThat(status.generation()).isNotEqualTo(first);
    assertThat(after.find("tea").degraded()).isEmpty();
    assertThat(after.search().check(SPACE, Progress.NONE).differences()).isZero();
  }

  @Test
  void aModelThatIsMissingForAWhileCostsNoVectors() {
    Node before = node(Optional.of(embedder));
    before.put(Message.of("a", "tea"));
    before.embed();
    int texts = embedder.texts();
    Node without = reopened(before, settings(), Optional.empty());
    assertThat(without.find("tea").hits()).hasSize(1);
    without.put(Message.of("a", "tea").by("bob"), Message.of("b", "coffee"));
    assertThat(without.keys(query("coffee").weighing(ONLY_WORDS))).containsExactly("b");
    Node again = reopened(without, settings(), Optional.of(embedder));
    again.embed();
    assertThat(again.search().status(SPACE).vectors()).isEqualTo(2);
    assertThat(embedder.texts()).isEqualTo(texts + 1);
  }

  @Test
  void anIndexWhoseBuildingWasBrokenOffGoesOn() throws IOException {
    SearchConfig slowly = inSmallSteps(settings());
    Node node = node(slowly, Optional.empty(), Message.SEARCHABLE);
    for (int i = 0; i < 100; i++) {
      node.put(Message.of("m" + i, "tea number " + i).in("s", i));
    }
    node.settle();
    if (place(SPACE).isPresent()) {
      closeNodes();
      delete(place(SPACE).get());
      node = node(slowly, Optional.empty(), Message.SEARCHABLE);
      node.search().status(SPACE);
      closeNodes(); // somewhere in the middle
      node = node(slowly, Optional.empty(), Message.SEARCHABLE);
    }
    node.settle();
    assertThat(node.search().check(SPACE, Progress.NONE).differences()).isZero();
    assertThat(node.search().status(SPACE).documents()).isEqualTo(100);
  }

  @Test
  @DisplayName("VEC-09: a migration that is broken off leaves the old index, and goes on later")
  void aMigrationThatIsBrokenOffLeavesTheOldIndex() {
    Node node = node(Optional.empty());
    for (int i = 0; i < 100; i++) {
      node.put(Message.of("m" + i, "painting number " + i).in("s", i));
    }
    node.settle();
    String old = node.search().status(SPACE).generation();
    SearchConfig literal = inSmallSteps(settings()).withAnalysis(LITERAL);
    for (int i = 0; i < 3; i++) { // begun at each opening, ended in the middle
      node = reopened(node, literal, Optional.empty());
      List<SearchHit> found = node.search().search(query("painting").weighing(ONLY_WORDS)).hits();
      assertThat(found)
          .hasSizeBetween(place(SPACE).isPresent() ? 10 : 0, 10); // in memory none is old
    }
    node.search().migrate(SPACE, Progress.NONE);
    SearchStatus status = node.search().status(SPACE);
    assertThat(status.generation()).isNotEqualTo(old);
    assertThat(status.building()).isEmpty();
    assertThat(node.keys(query("painted").weighing(ONLY_WORDS))).isEmpty();
    assertThat(node.search().check(SPACE, Progress.NONE).differences()).isZero();
  }

  private static SearchConfig inSmallSteps(SearchConfig config) {
    SearchConfig.Follow follow = config.follow();
    return config.withFollow(
        new SearchConfig.Follow(
            follow.threads(),
            follow.mergeThreads(),
            follow.gather(),
            3,
            1,
            follow.buffer(),
            follow.interval(),
            follow.openIndexes()));
  }

  @Test
  void otherAnalysisBuildsAnotherIndexByItself() {
    Node before = node(Optional.empty());
    before.put(Message.of("a", "painting"));
    assertThat(before.keys(query("painted"))).containsExactly("a");
    SearchConfig literal = settings().withAnalysis(LITERAL);
    Node after = reopened(before, literal, Optional.empty());
    after.search().migrate(SPACE, Progress.NONE);
    assertThat(after.keys(query("painted"))).isEmpty();
    assertThat(after.keys(query("painting"))).containsExactly("a");
  }

  @Test
  void anIndexGoesOnWhereItWasAfterARestart() {
    Node before = node(Optional.of(embedder));
    before.put(Message.of("a", "tea"));
    before.embed();
    String generation = before.search().status(SPACE).generation();
    Node after = reopened(before, settings(), Optional.of(embedder));
    after.put(Message.of("b", "tea"));
    assertThat(after.keys(query("tea").weighing(ONLY_WORDS))).containsExactly("a", "b");
    assertThat(after.search().status(SPACE).generation()).isEqualTo(generation); // not built anew
  }

  static SearchConfig onCommand(SearchConfig config) {
    return config.withGeneral(
        new SearchConfig.General(
            config.general().directory(),
            config.general().patience(),
            config.general().limitMax(),
            SearchConfig.Migration.COMMAND));
  }

  /** Another process on the same store; one in memory is only searched anew. */
  private Node reopened(Node before, SearchConfig config, Optional<Embedder> with) {
    RecordStore store = before.store();
    closeSearch();
    if (place(SPACE).isEmpty()) {
      return node(config, with, store, Message.SEARCHABLE);
    }
    closeStores();
    return node(config, with, Message.SEARCHABLE);
  }
}
