package dev.caliber.testkit.search;

import static dev.caliber.testkit.search.TestMessage.MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.testkit.EachEngine;
import dev.caliber.testkit.EngineKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract of indexes of many spaces, of which few may be open; on every engine with files. */
@EachEngine({EngineKind.SQLITE, EngineKind.POSTGRES})
class IdleIndexContract extends SearchFixture {

  private static final int SPACES = 12;
  private static final int ROUNDS = 40;

  private static final List<SpaceId> ALL =
      IntStream.range(0, SPACES).mapToObj(i -> new SpaceId("space-" + i)).toList();

  private SearchConfig withOpen(int limit) {
    return searchConfig()
        .with(
            "search.indexing.batch-delay = '0s'",
            "search.indexing.interval = '20ms'",
            "search.indexing.open-indexes = " + limit);
  }

  private static long put(SearchNode searchNode, SpaceId space, String id, String text) {
    return searchNode
        .store()
        .write(
            space,
            transaction -> {
              transaction.put(MESSAGES, TestMessage.of(id, text));
              return transaction.revision();
            });
  }

  private SearchNode filledNode(int limit) {
    SearchNode searchNode = openNode(withOpen(limit), Optional.empty(), TestMessage.SEARCHABLE);
    for (SpaceId space : ALL) {
      searchNode.store().createSpace(space);
      searchNode.search().awaitSequence(space, put(searchNode, space, "m", "words of " + space));
    }
    return searchNode;
  }

  private static List<String> searchKeys(SearchNode searchNode, SpaceId space) {
    return searchNode.search().search(SearchQuery.of(space, "words", 10)).hits().stream()
        .map(SearchHit::key)
        .toList();
  }

  /** Returns whether the index is open: a closed one has marked its directory as complete. */
  private boolean isOpen(SpaceId space) {
    Path home = indexDirectory(space).orElseThrow();
    try (var directories = Files.newDirectoryStream(home, Files::isDirectory)) {
      List<Path> generations = new ArrayList<>();
      directories.forEach(generations::add);
      return generations.stream().noneMatch(each -> Files.exists(each.resolve("closed-cleanly")));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private long countOpen() {
    return ALL.stream().filter(this::isOpen).count();
  }

  private void awaitOpen(long most) {
    while (countOpen() > most) {
      Thread.onSpinWait();
    }
  }

  @Test
  void noMoreIndexesStayOpenThanSettingsSayAndNoneLosesAnything() {
    SearchNode searchNode = filledNode(3);
    awaitOpen(3);
    for (SpaceId space : ALL) {
      assertThat(searchKeys(searchNode, space)).containsExactly("m");
    }
    awaitOpen(3);
    SpaceId first = ALL.getFirst();
    long written = put(searchNode, first, "n", "more words");
    searchNode.search().awaitSequence(first, written);
    assertThat(searchKeys(searchNode, first)).containsExactlyInAnyOrder("m", "n");
    for (SpaceId space : ALL) {
      assertThat(searchNode.search().status(space).documents())
          .isEqualTo(space.equals(first) ? 2 : 1);
      assertThat(searchNode.search().status(space).degraded()).isEmpty();
    }
    awaitOpen(3);
  }

  @Test
  void theDirectoriesOfAnIndexAreTheirOwnersAlone() throws IOException {
    filledNode(3);
    Path home = indexDirectory(ALL.getFirst()).orElseThrow();
    for (Path directory : List.of(home, home.getParent())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void theIndexThatIsUsedStaysOpen() {
    SearchNode searchNode = filledNode(1);
    awaitOpen(1);
    SpaceId used = ALL.get(SPACES / 2);
    assertThat(searchKeys(searchNode, used)).containsExactly("m");
    awaitOpen(1);
    assertThat(ALL.stream().filter(this::isOpen)).containsExactly(used);
  }

  @Test
  void searchesOfManySpacesAtOnceFindEverythingWhileIndexesAreClosed() throws Exception {
    SearchNode searchNode = filledNode(1);
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("searcher-", 0).factory())) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int start = i * 3;
        all.add(
            threads.submit(
                () ->
                    IntStream.range(start, start + ROUNDS)
                        .mapToObj(round -> ALL.get(round % SPACES))
                        .allMatch(space -> searchKeys(searchNode, space).equals(List.of("m")))));
      }
      for (Future<Boolean> each : all) {
        assertThat(each.get()).isTrue();
      }
    }
  }
}
