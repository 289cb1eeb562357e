package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.Consolidate;
import dev.caliber.memory.record.PolicyRun;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes notes of what a task has left, in as many commits as it takes, for somebody who waits for
 * all of them. What does not fit into the first is a run from then on: should nobody be left to go
 * on, its job does the rest.
 */
final class Consolidating {
  /** One commit of consolidation. */
  interface Commit {
    Part in(SpaceId space, Function<ConsolidationWork, Part> work);
  }

  /** The notes of one commit, and the run that goes on with the rest. */
  record Part(List<Id> notes, Optional<PolicyRun> rest) {}

  private final int batch;
  private final Commit commit;

  Consolidating(MemoryConfig config, Commit commit) {
    this.batch = config.consolidated();
    this.commit = commit;
  }

  List<Id> consolidate(SpaceId space, Consolidate command) {
    Portions portions = new Portions();
    Part part = portions.commit(batch, most -> commit.in(space, work -> work.begin(command, most)));
    Set<Id> all = new LinkedHashSet<>(part.notes());
    while (part.rest().isPresent()) {
      PolicyRun rest = part.rest().get();
      part = portions.commit(batch, most -> commit.in(space, work -> work.goOn(rest, most)));
      all.addAll(part.notes());
    }
    return List.copyOf(all);
  }
}
