package dev.caliber.agents;

import dev.caliber.agents.AgentsCommandDispatcher.DueWorkKind;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Transaction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs due work. Each kind has its own commits, and so has each overdue delegation, so that one
 * failure does not block the others.
 */
final class DueWorkRunner {
  private static final Logger LOG = LoggerFactory.getLogger(DueWorkRunner.class);
  private static final String DELEGATIONS = "DELEGATIONS";

  private final RecordStore store;
  private final InstantSource clock;
  private final AgentsConfig.MaintenanceSettings rules;
  private final Function<Transaction, AgentsCommandDispatcher> operations;
  private final List<CaliberException> failures = new ArrayList<>();
  private final Map<DueWorkKind, Integer> done = new EnumMap<>(DueWorkKind.class);
  private int ended;

  DueWorkRunner(
      RecordStore store,
      InstantSource clock,
      AgentsConfig.MaintenanceSettings rules,
      Function<Transaction, AgentsCommandDispatcher> operations) {
    this.store = store;
    this.clock = clock;
    this.rules = rules;
    this.operations = operations;
  }

  /** Runs all kinds, while {@code mayGoOn} allows it; returns the first failure, if any. */
  Optional<CaliberException> runAll(SpaceId space, BooleanSupplier mayGoOn) {
    for (DueWorkKind dueWorkKind : DueWorkKind.values()) {
      attempt(space, dueWorkKind.name(), () -> drain(space, dueWorkKind, mayGoOn));
    }
    attempt(space, DELEGATIONS, () -> endOverdueDelegations(space, mayGoOn));
    return failures.stream().findFirst();
  }

  DueWorkResult result() {
    return new DueWorkResult(
        done.getOrDefault(DueWorkKind.FAILURES, 0),
        done.getOrDefault(DueWorkKind.LEASES, 0),
        done.getOrDefault(DueWorkKind.MAIL, 0),
        done.getOrDefault(DueWorkKind.OLD_MAIL, 0),
        ended);
  }

  private void attempt(SpaceId space, String kind, Runnable chore) {
    try {
      chore.run();
    } catch (CaliberException e) {
      LOG.warn(
          "The maintenance task '{}' of agents in space {} failed and will be retried. Cause: {}",
          kind,
          space,
          e.toLine());
      failures.add(e);
    }
  }

  /**
   * Processes batches; checks {@code mayGoOn} only if there is more, because that is a commit as
   * well.
   */
  private void drain(SpaceId space, DueWorkKind dueWorkKind, BooleanSupplier mayGoOn) {
    int batch = rules.batch();
    int found;
    do {
      found =
          store.write(
              space,
              transaction -> operations.apply(transaction).processDueWork(dueWorkKind, batch));
      done.merge(dueWorkKind, found, Integer::sum);
    } while (found >= batch && mayGoOn.getAsBoolean());
  }

  /** Ends each overdue delegation in its own commit, until every one of a page fails. */
  private void endOverdueDelegations(SpaceId space, BooleanSupplier mayGoOn) {
    List<Id> late = overdueDelegations(space);
    while (!late.isEmpty() && mayGoOn.getAsBoolean()) {
      int before = failures.size();
      late.forEach(id -> attempt(space, DELEGATIONS, () -> endOverdueDelegation(space, id)));
      late = failures.size() - before == late.size() ? List.of() : overdueDelegations(space);
    }
  }

  private List<Id> overdueDelegations(SpaceId space) {
    return store.read(
        space,
        snapshot -> DelegationHandler.overdueDelegations(snapshot, clock.instant(), rules.batch()));
  }

  /**
   * Ends a delegation; if the receiver's task cannot be ended in this commit, a job retries that.
   */
  private void endOverdueDelegation(SpaceId space, Id delegation) {
    try {
      store.write(
          space, transaction -> operations.apply(transaction).endOverdueDelegation(delegation));
    } catch (CaliberException e) {
      LOG.warn(
          "Ending the task of delegation {} in space {} failed. The job '{}' will try again. Cause: {}",
          delegation,
          space,
          DelegationHandler.END_TASK,
          e.toLine());
      store.write(
          space, transaction -> operations.apply(transaction).endOverdueDelegationOnly(delegation));
    }
    ended++;
  }
}
