package dev.caliber.memory.policy;

import dev.caliber.kernel.Id;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Page;
import dev.caliber.store.PageCursor;
import dev.caliber.store.Query;
import java.util.Optional;

/** Target of one commit of a policy run, and the cursor of the next one. */
public record PolicyStepTarget(Optional<Scope> scope, Optional<PageCursor> next) {

  /** Returns the scope that the run is limited to, or the next one of its trajectory. */
  public static PolicyStepTarget of(MemoryView view, PolicyRun run) {
    if (run.scope().isPresent()) {
      return new PolicyStepTarget(run.scope().map(view::scope), Optional.empty());
    }
    return run.trajectory()
        .map(id -> of(view, run, id))
        .orElseGet(() -> new PolicyStepTarget(Optional.empty(), Optional.empty()));
  }

  private static PolicyStepTarget of(MemoryView view, PolicyRun run, Id trajectory) {
    Query<Scope> all = Query.over(Scope.TABLE, "trajectory", "sequence").equal(trajectory);
    Page<Scope> page = view.snapshot().scan(run.place().map(all::resume).orElse(all), 1);
    return new PolicyStepTarget(
        page.records().stream().filter(scope -> scope.rolledBackAt().isEmpty()).findFirst(),
        page.next());
  }
}
