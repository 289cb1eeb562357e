package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.store.Jobs;
import dev.caliber.store.search.SearchIndex;
import java.util.List;
import java.util.Optional;

/**
 * A store and its search for the time of one command. It embeds nothing: what has no vector yet
 * waits for the process that serves.
 */
record OpenSearch(OpenStore store, SearchIndex index, Workbench workbench)
    implements AutoCloseable {

  static OpenSearch of(Workbench workbench) {
    OpenStore store = workbench.open();
    try {
      return new OpenSearch(store, open(workbench, store), workbench);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static SearchIndex open(Workbench workbench, OpenStore store) {
    SearchIndex.Parts parts =
        new SearchIndex.Parts(
            store.records(),
            store.config(),
            workbench.searchConfig(),
            AppTables.searchable(store.config()),
            workbench.surroundings().clock(),
            workbench.ids());
    return SearchIndex.open(parts, Optional.empty(), jobs(workbench, store));
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
    store.close();
  }
}
