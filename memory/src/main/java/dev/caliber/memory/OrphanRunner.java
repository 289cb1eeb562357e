package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.EndedOrphans;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.WorkClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Search for orphans outside of commits; a short commit checks and ends each. */
final class OrphanRunner {
  private final RecordStore store;
  private final MemoryConfig config;
  private final Function<Transaction, OrphanHandler> handlers;

  OrphanRunner(
      RecordStore store, MemoryConfig config, Function<Transaction, OrphanHandler> handlers) {
    this.store = store;
    this.config = config;
    this.handlers = handlers;
  }

  /** Kind of orphan: the query that finds it and the action that ends it. */
  private record OrphanKind<T>(
      Function<MemoryView, Query<T>> search, Function<T, Id> id, OrphanEndAction endAction) {}

  private interface OrphanEndAction {
    boolean end(OrphanHandler work, Id id);
  }

  EndedOrphans endOrphans(SpaceId space, Instant cutoff, WorkClaim workClaim) {
    OrphanKind<Trajectory> idle =
        new OrphanKind<>(
            view -> OrphanHandler.idleTrajectories(view, cutoff),
            Trajectory::id,
            (work, id) -> work.failIfIdle(id, cutoff));
    OrphanKind<Scope> left =
        new OrphanKind<>(
            view -> OrphanHandler.abandonedScopes(view, cutoff),
            Scope::id,
            (work, id) -> work.closeIfAbandoned(id, cutoff));
    return new EndedOrphans(endEach(space, idle, workClaim), endEach(space, left, workClaim));
  }

  private <T> List<Id> endEach(SpaceId space, OrphanKind<T> orphanKind, WorkClaim workClaim) {
    List<Id> ended = new ArrayList<>();
    Page<T> page = page(space, orphanKind, Optional.empty());
    while (true) {
      for (T found : page.records()) {
        Id id = orphanKind.id.apply(found);
        if (store.write(space, commit -> orphanKind.endAction.end(handlers.apply(commit), id))) {
          ended.add(id);
        }
        workClaim.renew();
      }
      if (page.next().isEmpty()) {
        return ended;
      }
      page = page(space, orphanKind, page.next());
    }
  }

  private <T> Page<T> page(SpaceId space, OrphanKind<T> orphanKind, Optional<PageCursor> place) {
    return store.read(space, snapshot -> page(snapshot, orphanKind, place));
  }

  private <T> Page<T> page(
      Snapshot snapshot, OrphanKind<T> orphanKind, Optional<PageCursor> place) {
    Query<T> search = orphanKind.search.apply(MemoryView.of(snapshot, config));
    return snapshot.scan(place.map(search::resume).orElse(search), config.maintenanceBatch());
  }
}
