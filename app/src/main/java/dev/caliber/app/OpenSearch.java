package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.models.Models;
import dev.caliber.store.Jobs;
import dev.caliber.store.search.SearchIndex;
import java.util.List;

/** A store, its search and the model for the time of one command. */
record OpenSearch(OpenStore store, Models models, SearchIndex index, Workbench workbench)
    implements AutoCloseable {

  static OpenSearch of(Workbench workbench) {
    OpenStore store = workbench.open();
    try {
      return of(workbench, store, workbench.models());
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static OpenSearch of(Workbench workbench, OpenStore store, Models models) {
    try {
      return new OpenSearch(store, models, open(workbench, store, models), workbench);
    } catch (RuntimeException e) {
      models.close();
      throw e;
    }
  }

  private static SearchIndex open(Workbench workbench, OpenStore store, Models models) {
    SearchIndex.Parts parts =
        new SearchIndex.Parts(
            store.records(),
            store.config(),
            workbench.searchConfig(),
            AppTables.searchable(store.config()),
            workbench.surroundings().clock(),
            workbench.ids());
    return SearchIndex.open(parts, models.embedder(), jobs(workbench, store));
  }

  /** Never started: a command embeds while somebody waits for it, or not at all. */
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
    models.close();
    store.close();
  }
}
