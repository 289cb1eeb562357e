package dev.caliber.store.search;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads how a space's index stands. */
final class StatusReader {

  private StatusReader() {}

  /**
   * What is known now.
   *
   * @param embedding why texts wait for their vectors
   */
  static SearchStatus read(SpaceIndex index, long head, Optional<String> embedding)
      throws IOException {
    Optional<Generation> answering = index.answering();
    return answering.isEmpty() ? none(index, head) : of(index, answering.get(), head, embedding);
  }

  private static SearchStatus none(SpaceIndex index, long head) {
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
        index.trouble());
  }

  private static SearchStatus of(
      SpaceIndex index, Generation generation, long head, Optional<String> embedding)
      throws IOException {
    long backlog = generation.count(IndexFormatV1.PENDING);
    return new SearchStatus(
        index.space(),
        generation.name(),
        generation.state().cursor().sequence(),
        head,
        generation.count(IndexFormatV1.FIRST),
        generation.vectors(),
        backlog,
        generation.count(IndexFormatV1.FAILED),
        generation.path().isPresent() ? IndexFiles.bytes(generation.path().get()) : 0,
        generation.recipe().model(),
        index.building().map(Generation::name).filter(name -> !name.equals(generation.name())),
        degraded(index, embedding.filter(_ -> backlog > 0)));
  }

  private static Optional<String> degraded(SpaceIndex index, Optional<String> embedding) {
    String reasons =
        Stream.of(
                index.trouble().or(() -> outdated(index)),
                embedding.map(why -> "texts wait for their vectors: " + why))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return Optional.of(reasons).filter(text -> !text.isEmpty());
  }

  private static Optional<String> outdated(SpaceIndex index) {
    return index.isOutdated()
        ? Optional.of("settings ask for another index: run 'caliber index migrate'")
        : Optional.empty();
  }
}
