package dev.caliber.store.search.index;

import dev.caliber.store.search.SearchStatus;
import dev.caliber.store.search.format.IndexFormatV1;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reader of the status of a space's index. */
final class SearchStatusReader {

  private SearchStatusReader() {}

  /**
   * Reads the present status.
   *
   * @param embedding why texts wait for their vectors
   */
  static SearchStatus read(SpaceIndex index, long head, Optional<String> embedding)
      throws IOException {
    Optional<Generation> answering = index.servingGeneration();
    return answering.isEmpty()
        ? emptyStatus(index, head)
        : statusOf(index, answering.get(), head, embedding);
  }

  private static SearchStatus emptyStatus(SpaceIndex index, long head) {
    return new SearchStatus(
        index.space(),
        "",
        0,
        head,
        0,
        0,
        0,
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        index.degradedReason());
  }

  private static SearchStatus statusOf(
      SpaceIndex index, Generation generation, long head, Optional<String> embedding)
      throws IOException {
    long backlog = generation.count(IndexFormatV1.PENDING);
    return new SearchStatus(
        index.space(),
        generation.name(),
        generation.state().cursor().sequence(),
        head,
        generation.count(IndexFormatV1.FIRST),
        generation.vectorCount(),
        backlog,
        generation.count(IndexFormatV1.FAILED),
        generation.path().isPresent() ? IndexFiles.totalBytes(generation.path().get()) : 0,
        generation.recipe().model(),
        index
            .buildingGeneration()
            .map(Generation::name)
            .filter(name -> !name.equals(generation.name())),
        degradedReason(index, embedding.filter(_ -> backlog > 0)));
  }

  private static Optional<String> degradedReason(SpaceIndex index, Optional<String> embedding) {
    String reasons =
        Stream.of(
                index.degradedReason().or(() -> outdatedReason(index)),
                embedding.map(why -> "some texts have no vector yet: " + why))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return Optional.of(reasons).filter(text -> !text.isEmpty());
  }

  private static Optional<String> outdatedReason(SpaceIndex index) {
    return index.isOutdated()
        ? Optional.of(
            "the settings have changed and need another index: run 'caliber index migrate'")
        : Optional.empty();
  }
}
