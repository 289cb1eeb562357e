package dev.caliber.store.search;

import java.io.IOException;
import java.util.Optional;

/** Reads how a space's index stands. */
final class StatusReader {

  private StatusReader() {}

  static SearchStatus read(SpaceIndex index, long head) throws IOException {
    Optional<Generation> answering = index.answering();
    return answering.isEmpty() ? none(index, head) : of(index, answering.get(), head);
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

  private static SearchStatus of(SpaceIndex index, Generation generation, long head)
      throws IOException {
    return new SearchStatus(
        index.space(),
        generation.name(),
        generation.state().cursor().sequence(),
        head,
        generation.count(IndexFormatV1.FIRST),
        generation.vectors(),
        generation.count(IndexFormatV1.PENDING),
        generation.count(IndexFormatV1.FAILED),
        generation.path().isPresent() ? IndexFiles.bytes(generation.path().get()) : 0,
        generation.recipe().model(),
        index.building().map(Generation::name).filter(name -> !name.equals(generation.name())),
        degraded(index));
  }

  private static Optional<String> degraded(SpaceIndex index) {
    return index
        .trouble()
        .or(
            () ->
                index.isOutdated()
                    ? Optional.of("settings ask for another index: run 'caliber index migrate'")
                    : Optional.empty());
  }
}
