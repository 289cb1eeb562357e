package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import java.util.Optional;

/** What one commit of a run of policies is about, and where the next one goes on. */
record Reach(Optional<Scope> scope, Optional<PageCursor> next) {

  /** The scope that a run is limited to, or the next one of its trajectory. */
  static Reach of(MemoryView view, PolicyRun run) {
    if (run.scope().isPresent()) {
      return new Reach(run.scope().map(view::scope), Optional.empty());
    }
    return run.trajectory()
        .map(id -> of(view, run, id))
        .orElseGet(() -> new Reach(Optional.empty(), Optional.empty()));
  }

  private static Reach of(MemoryView view, PolicyRun run, Id trajectory) {
    Query<Scope> all = Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory);
    Page<Scope> page = view.snapshot().scan(run.place().map(all::resume).orElse(all), 1);
    return new Reach(
        page.records().stream().filter(scope -> scope.rolledBackAt().isEmpty()).findFirst(),
        page.next());
  }
}
