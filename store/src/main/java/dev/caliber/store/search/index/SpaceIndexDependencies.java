package dev.caliber.store.search.index;

import dev.caliber.kernel.IdGenerator;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.format.IndexRecipe;
import dev.caliber.store.search.format.SearchDeclarations;
import dev.caliber.store.spi.Embedder;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Dependencies shared by the indexes of all spaces. */
record SpaceIndexDependencies(
    RecordStore store,
    SearchConfig config,
    StoreConfig storeConfig,
    SearchDeclarations declarations,
    Optional<Embedder> embedder,
    Optional<Path> directory,
    Semaphore merges,
    Clock clock,
    IdGenerator ids) {

  /** Returns the recipe for present settings and the present embedder. */
  IndexRecipe recipe() {
    return IndexRecipe.of(
        declarations,
        config,
        embedder.map(Embedder::model),
        embedder.map(Embedder::dimensions).orElse(0));
  }

  /**
   * Returns the recipe to be compared with an existing index: without an embedder, its model is
   * kept.
   */
  IndexRecipe recipeReplacing(IndexRecipe present) {
    return embedder.isPresent() ? recipe() : recipe().withModelOf(present);
  }

  /** Returns the number of commits applied in one step. */
  int commitsPerStep() {
    return Math.min(config.indexing().commitsPerStep(), storeConfig.feed().pageLimit());
  }

  /** Returns the number of records read in one step; a page holds one more. */
  int recordsPerStep() {
    return Math.max(
        1, Math.min(config.indexing().recordsPerStep(), storeConfig.reads().pageLimit() - 1));
  }
}
