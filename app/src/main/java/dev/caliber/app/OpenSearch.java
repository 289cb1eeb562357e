package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.Jobs;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.spi.Embedder;
import java.util.List;
import java.util.Optional;

/**
 * A store and its search for the time of one command.
 *
 * @param models without them nothing is embedded: what has no vector yet waits for whoever has them
 */
record OpenSearch(OpenStore store, SearchIndex index, Optional<Models> models, Workbench workbench)
    implements AutoCloseable {

  /** By words alone. */
  static OpenSearch of(Workbench workbench) {
    return open(workbench, workbench.open(), Optional.empty());
  }

  /** With the configured model, which may take a moment to load. */
  static OpenSearch withModels(Workbench workbench) {
    return withModels(workbench, workbench.open());
  }

  /** The same over a store that this closes. */
  static OpenSearch withModels(Workbench workbench, OpenStore store) {
    try {
      Surroundings around = workbench.surroundings();
      ModelsConfig config = workbench.rooms().models();
      return open(
          workbench, store, Optional.of(Models.open(config, around.environment(), around.clock())));
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static OpenSearch open(Workbench workbench, OpenStore store, Optional<Models> models) {
    try {
      Optional<Embedder> embedder = models.flatMap(Models::embedder);
      return new OpenSearch(store, openIndex(workbench, store, embedder), models, workbench);
    } catch (RuntimeException e) {
      models.ifPresent(Models::close);
      store.close();
      throw e;
    }
  }

  private static SearchIndex openIndex(
      Workbench workbench, OpenStore store, Optional<Embedder> embedder) {
    SearchIndex.Parts parts =
        new SearchIndex.Parts(
            store.records(),
            store.config(),
            workbench.searchConfig(),
            AppTables.searchable(store.config()),
            workbench.surroundings().clock(),
            workbench.ids());
    return SearchIndex.open(parts, embedder, jobs(workbench, store));
  }

  /** Never started, so that it holds nothing. */
  private static Jobs jobs(Workbench workbench, OpenStore store) {
    return Jobs.of(store.records(), store.config().jobs(), workbench.surroundings().clock());
  }

  /** The space that was named, or all. */
  List<SpaceId> spaces() {
    return workbench
        .namedSpace()
        .map(List::of)
        .orElseGet(() -> List.copyOf(store.records().spaces()));
  }

  /** Waits until the index of the space holds every commit. */
  void settle(SpaceId space) {
    index.await(space, store.feed().head(space).sequence());
  }

  @Override
  public void close() {
    index.close();
    models.ifPresent(Models::close);
    store.close();
  }
}
