package dev.caliber.store.search;

import dev.caliber.kernel.Ids;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.spi.Embedder;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** What all spaces of an index share. */
record Machinery(
    RecordStore store,
    SearchConfig config,
    StoreConfig limits,
    Searchables declared,
    Optional<Embedder> embedder,
    Optional<Path> place,
    Semaphore merges,
    Clock clock,
    Ids ids) {

  /** The recipe that present settings and the present embedder ask for. */
  IndexRecipe recipe() {
    return IndexRecipe.of(
        declared,
        config,
        embedder.map(Embedder::model),
        embedder.map(Embedder::dimensions).orElse(0));
  }

  /** The same beside an index that is there: without an embedder its model is not given up. */
  IndexRecipe recipeBeside(IndexRecipe present) {
    return embedder.isPresent() ? recipe() : recipe().withModelOf(present);
  }

  /** How many commits are taken in one step. */
  int commits() {
    return Math.min(config.follow().commits(), limits.feed().pageLimit());
  }

  /** How many records are taken in one step; a page holds one more. */
  int records() {
    return Math.max(1, Math.min(config.follow().records(), limits.reads().pageLimit() - 1));
  }
}
