package dev.caliber.testkit.search;

import static dev.caliber.testkit.search.Message.MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Indexes of many spaces, of which few may be open; on every engine that has files. */
public abstract class IdleIndexContract extends SearchFixture {

  private static final int SPACES = 12;
  private static final int ROUNDS = 40;

  private static final List<SpaceId> ALL =
      IntStream.range(0, SPACES).mapToObj(i -> new SpaceId("space-" + i)).toList();

  private SearchConfig withOpen(int limit) {
    SearchConfig.Follow follow = settings().follow();
    return settings()
        .withFollow(
            new SearchConfig.Follow(
                follow.threads(),
                follow.mergeThreads(),
                Duration.ZERO,
                follow.commits(),
                follow.records(),
                follow.buffer(),
                Duration.ofMillis(20),
                limit));
  }

  private static long put(Node node, SpaceId space, String id, String text) {
    return node.store()
        .write(
            space,
            transaction -> {
              transaction.put(MESSAGES, Message.of(id, text));
              return transaction.revision();
            });
  }

  private Node filled(int limit) {
    Node node = node(withOpen(limit), Optional.empty(), Message.SEARCHABLE);
    for (SpaceId space : ALL) {
      node.store().createSpace(space);
      node.search().await(space, put(node, space, "m", "words of " + space));
    }
    return node;
  }

  private static List<String> keys(Node node, SpaceId space) {
    return node.search().search(SearchQuery.of(space, "words", 10)).hits().stream()
        .map(SearchHit::key)
        .toList();
  }

  /** An index that was closed has marked its directory as whole. */
  private boolean isOpen(SpaceId space) {
    Path home = place(space).orElseThrow();
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
    Node node = filled(3);
    awaitOpen(3);
    for (SpaceId space : ALL) {
      assertThat(keys(node, space)).containsExactly("m");
    }
    awaitOpen(3);
    SpaceId first = ALL.getFirst();
    long written = put(node, first, "n", "more words");
    node.search().await(first, written);
    assertThat(keys(node, first)).containsExactlyInAnyOrder("m", "n");
    for (SpaceId space : ALL) {
      assertThat(node.search().status(space).documents()).isEqualTo(space.equals(first) ? 2 : 1);
      assertThat(node.search().status(space).degraded()).isEmpty();
    }
    awaitOpen(3);
  }

  @Test
  void theDirectoriesOfAnIndexAreTheirOwnersAlone() throws IOException {
    filled(3);
    Path home = place(ALL.getFirst()).orElseThrow();
    for (Path directory : List.of(home, home.getParent())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void theIndexThatIsUsedStaysOpen() {
    Node node = filled(1);
    SpaceId used = ALL.get(SPACES / 2);
    assertThat(keys(node, used)).containsExactly("m");
    awaitOpen(1);
    assertThat(ALL.stream().filter(this::isOpen)).containsExactly(used);
  }

  @Test
  void searchesOfManySpacesAtOnceFindEverythingWhileIndexesAreClosed() throws Exception {
    Node node = filled(1);
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
                        .allMatch(space -> keys(node, space).equals(List.of("m")))));
      }
      for (Future<Boolean> each : all) {
        assertThat(each.get()).isTrue();
      }
    }
  }
}
