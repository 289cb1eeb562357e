package dev.caliber.app;

import dev.caliber.kernel.SpaceId;
import dev.caliber.models.Models;
import dev.caliber.server.Wiring;
import dev.caliber.store.Jobs;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.spi.Embedder;
import java.util.List;
import java.util.Optional;

/**
 * A store and its search, open for one command.
 *
 * @param models the embedding models; without them nothing is embedded, and a process that has them
 *     embeds later
 */
record OpenIndex(
    OpenStore store, SearchIndex index, Optional<Models> models, CommandContext workbench)
    implements AutoCloseable {

  /** Opens the store for search by words alone. */
  static OpenIndex withoutModels(CommandContext commandContext) {
    return open(commandContext, commandContext.open(), Optional.empty());
  }

  /** Opens the store with the configured model, whose loading may take a moment. */
  static OpenIndex withModels(CommandContext commandContext) {
    return withModels(commandContext, commandContext.open());
  }

  /** Adds search with the configured model to an open store, which closing this closes. */
  static OpenIndex withModels(CommandContext commandContext, OpenStore store) {
    try {
      return open(commandContext, store, Optional.of(commandContext.models()));
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static OpenIndex open(
      CommandContext commandContext, OpenStore store, Optional<Models> models) {
    try {
      Optional<Embedder> embedder = models.flatMap(Models::embedder);
      return new OpenIndex(
          store, openIndex(commandContext, store, embedder), models, commandContext);
    } catch (RuntimeException e) {
      models.ifPresent(Models::close);
      store.close();
      throw e;
    }
  }

  private static SearchIndex openIndex(
      CommandContext commandContext, OpenStore store, Optional<Embedder> embedder) {
    SearchIndex.SearchDependencies searchDependencies =
        new SearchIndex.SearchDependencies(
            store.records(),
            store.config(),
            commandContext.searchConfig(),
            Wiring.searchableMemoryRecords(),
            commandContext.environment().clock(),
            commandContext.ids());
    return SearchIndex.open(searchDependencies, embedder, jobs(commandContext, store));
  }

  /** Creates jobs that are never started: a command embeds within its call, or not at all. */
  private static Jobs jobs(CommandContext commandContext, OpenStore store) {
    return Jobs.of(store.records(), store.config().jobs(), commandContext.environment().clock());
  }

  /** Returns the named space, or all spaces. */
  List<SpaceId> spaces() {
    return workbench
        .namedSpace()
        .map(List::of)
        .orElseGet(() -> List.copyOf(store.records().spaces()));
  }

  /** Waits until the index of the space holds every commit, at most as long as a query would. */
  void awaitIndexed(SpaceId space) {
    try {
      index.awaitSequence(space, store.feed().head(space).sequence());
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    index.close();
    models.ifPresent(Models::close);
    store.close();
  }
}
