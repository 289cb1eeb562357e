package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.record.PolicyRun;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Makes notes of the artifacts of a trajectory in several commits, for a caller that waits for all
 * of them. Batches after the first belong to a policy run, whose job finishes if the caller
 * crashes.
 */
final class ConsolidationRunner {
  /** One commit of consolidation. */
  interface ConsolidationCommit {
    ConsolidationProgress run(
        SpaceId space, Function<ConsolidationHandler, ConsolidationProgress> work);
  }

  /** Notes of one commit, and the run that continues with the rest. */
  record ConsolidationProgress(List<Id> notes, Optional<PolicyRun> rest) {}

  private final int batch;
  private final ConsolidationCommit consolidationCommit;

  ConsolidationRunner(MemoryConfig config, ConsolidationCommit consolidationCommit) {
    this.batch = config.consolidationBatch();
    this.consolidationCommit = consolidationCommit;
  }

  List<Id> consolidate(SpaceId space, ConsolidateTrajectory command) {
    AdaptiveBatchSize adaptiveBatchSize = new AdaptiveBatchSize();
    ConsolidationProgress consolidationProgress =
        adaptiveBatchSize.runCommit(
            batch,
            most ->
                consolidationCommit.run(space, work -> work.consolidateFirstBatch(command, most)));
    Set<Id> all = new LinkedHashSet<>(consolidationProgress.notes());
    while (consolidationProgress.rest().isPresent()) {
      PolicyRun rest = consolidationProgress.rest().get();
      consolidationProgress =
          adaptiveBatchSize.runCommit(
              batch, most -> consolidationCommit.run(space, work -> work.continueRun(rest, most)));
      all.addAll(consolidationProgress.notes());
    }
    return List.copyOf(all);
  }
}
