package dev.caliber.app.shell;

import dev.caliber.kernel.SpaceId;
import dev.caliber.models.Models;
import dev.caliber.server.Wiring;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.index.SearchIndexes;
import java.util.List;

/** A store, its search and the embedding model, open for one command. */
public record OpenIndex(OpenStore store, SearchIndex index, Models models, CommandContext workbench)
    implements AutoCloseable {

  /** Opens the store with the configured model, whose loading may take a moment. */
  public static OpenIndex of(CommandContext commandContext) {
    OpenStore store = commandContext.open();
    try {
      Models models = commandContext.models();
      try {
        return new OpenIndex(
            store, openIndex(commandContext, store, models), models, commandContext);
      } catch (RuntimeException e) {
        models.close();
        throw e;
      }
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static SearchIndex openIndex(
      CommandContext commandContext, OpenStore store, Models models) {
    SearchIndex.SearchDependencies searchDependencies =
        new SearchIndex.SearchDependencies(
            store.records(),
            store.config(),
            commandContext.searchConfig(),
            Wiring.searchableMemoryRecords(),
            commandContext.environment().clock(),
            commandContext.ids());
    /* These jobs are never started: a command embeds within its call, or not at all. */
    Jobs jobs =
        Jobs.of(store.records(), store.config().jobs(), commandContext.environment().clock());
    return SearchIndexes.open(searchDependencies, models.embedder(), jobs);
  }

  /** Returns the named space, or all spaces. */
  public List<SpaceId> spaces() {
    return workbench
        .namedSpace()
        .map(List::of)
        .orElseGet(() -> List.copyOf(store.records().spaces()));
  }

  /** Waits until the index of the space holds every commit, at most as long as a query would. */
  public void awaitIndexed(SpaceId space) {
    awaitSequence(index, space, store.feed().head(space).sequence());
  }

  /** Waits until an index holds a commit, at most as long as a query would. */
  static void awaitSequence(SearchIndex index, SpaceId space, long sequence) {
    try {
      index.awaitSequence(space, sequence);
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    index.close();
    models.close();
    store.close();
  }
}
