package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.AbandonedWorkResult;
import dev.caliber.memory.commit.AbandonedWorkHandler;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.WorkClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Search for orphans outside of commits; a short commit checks and ends each. */
final class AbandonedWorkRunner {
  private final RecordStore store;
  private final MemoryConfig config;
  private final Function<Transaction, AbandonedWorkHandler> handlers;

  AbandonedWorkRunner(
      RecordStore store,
      MemoryConfig config,
      Function<Transaction, AbandonedWorkHandler> handlers) {
    this.store = store;
    this.config = config;
    this.handlers = handlers;
  }

  /** Kind of orphan: the query that finds it and the action that ends it. */
  private record AbandonedWorkKind<T>(
      Function<MemoryView, Query<T>> search,
      Function<T, Id> id,
      AbandonedWorkEndAction endAction) {}

  private interface AbandonedWorkEndAction {
    boolean end(AbandonedWorkHandler work, Id id);
  }

  AbandonedWorkResult endOrphans(SpaceId space, Instant cutoff, WorkClaim workClaim) {
    AbandonedWorkKind<Trajectory> idle =
        new AbandonedWorkKind<>(
            view -> AbandonedWorkHandler.idleTrajectories(view, cutoff),
            Trajectory::id,
            (work, id) -> work.failIfIdle(id, cutoff));
    AbandonedWorkKind<Scope> left =
        new AbandonedWorkKind<>(
            view -> AbandonedWorkHandler.abandonedScopes(view, cutoff),
            Scope::id,
            (work, id) -> work.closeIfAbandoned(id, cutoff));
    return new AbandonedWorkResult(
        endEach(space, idle, workClaim), endEach(space, left, workClaim));
  }

  private <T> List<Id> endEach(
      SpaceId space, AbandonedWorkKind<T> abandonedWorkKind, WorkClaim workClaim) {
    List<Id> ended = new ArrayList<>();
    Page<T> page = page(space, abandonedWorkKind, Optional.empty());
    while (true) {
      for (T found : page.records()) {
        Id id = abandonedWorkKind.id.apply(found);
        if (store.write(
            space, commit -> abandonedWorkKind.endAction.end(handlers.apply(commit), id))) {
          ended.add(id);
        }
        workClaim.renew();
      }
      if (page.next().isEmpty()) {
        return ended;
      }
      page = page(space, abandonedWorkKind, page.next());
    }
  }

  private <T> Page<T> page(
      SpaceId space, AbandonedWorkKind<T> abandonedWorkKind, Optional<PageCursor> place) {
    return store.read(space, snapshot -> page(snapshot, abandonedWorkKind, place));
  }

  private <T> Page<T> page(
      Snapshot snapshot, AbandonedWorkKind<T> abandonedWorkKind, Optional<PageCursor> place) {
    Query<T> search = abandonedWorkKind.search.apply(MemoryView.of(snapshot, config));
    return snapshot.scan(place.map(search::resume).orElse(search), config.maintenanceBatch());
  }
}
