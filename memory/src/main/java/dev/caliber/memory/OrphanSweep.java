package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.Orphans;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks for orphans while others write, a page at a time, and ends each in a short commit that
 * looks at it once more.
 */
final class OrphanSweep {
  private final RecordStore store;
  private final MemoryConfig config;
  private final Function<Transaction, OrphanWork> works;

  OrphanSweep(RecordStore store, MemoryConfig config, Function<Transaction, OrphanWork> works) {
    this.store = store;
    this.config = config;
    this.works = works;
  }

  /** What is to be ended: where it is found, and how one of them ends. */
  private record Kind<T>(
      Function<MemoryView, Query<T>> search, Function<T, Id> id, Ending ending) {}

  private interface Ending {
    boolean end(OrphanWork work, Id id);
  }

  Orphans sweep(SpaceId space, Instant cutoff, Upkeep.Pace pace) {
    Kind<Trajectory> idle =
        new Kind<>(
            view -> OrphanWork.idle(view, cutoff),
            Trajectory::id,
            (work, id) -> work.fail(id, cutoff));
    Kind<Scope> left =
        new Kind<>(
            view -> OrphanWork.left(view, cutoff), Scope::id, (work, id) -> work.close(id, cutoff));
    return new Orphans(end(space, idle, pace), end(space, left, pace));
  }

  private <T> List<Id> end(SpaceId space, Kind<T> kind, Upkeep.Pace pace) {
    List<Id> ended = new ArrayList<>();
    Page<T> page = page(space, kind, Optional.empty());
    while (true) {
      for (T found : page.records()) {
        Id id = kind.id.apply(found);
        if (store.write(space, commit -> kind.ending.end(works.apply(commit), id))) {
          ended.add(id);
        }
        pace.keep();
      }
      if (page.next().isEmpty()) {
        return ended;
      }
      page = page(space, kind, page.next());
    }
  }

  private <T> Page<T> page(SpaceId space, Kind<T> kind, Optional<PageCursor> place) {
    return store.read(space, snapshot -> page(snapshot, kind, place));
  }

  private <T> Page<T> page(Snapshot snapshot, Kind<T> kind, Optional<PageCursor> place) {
    Query<T> search = kind.search.apply(MemoryView.of(snapshot, config));
    return snapshot.scan(place.map(search::resume).orElse(search), config.portion());
  }
}
