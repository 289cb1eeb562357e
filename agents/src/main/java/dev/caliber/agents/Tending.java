package dev.caliber.agents;

import dev.caliber.agents.Operations.Chore;
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
 * Sees to what has to happen by itself. Each kind has commits of its own, and so has each late
 * delegation: what one of them cannot do keeps none of the others waiting.
 */
final class Tending {
  private static final Logger LOG = LoggerFactory.getLogger(Tending.class);

  private final RecordStore store;
  private final InstantSource clock;
  private final AgentsConfig.Tending rules;
  private final Function<Transaction, Operations> operations;
  private final List<CaliberException> failures = new ArrayList<>();
  private final Map<Chore, Integer> done = new EnumMap<>(Chore.class);
  private int ended;

  Tending(
      RecordStore store,
      InstantSource clock,
      AgentsConfig.Tending rules,
      Function<Transaction, Operations> operations) {
    this.store = store;
    this.clock = clock;
    this.rules = rules;
    this.operations = operations;
  }

  /** Does all of it, as long as it may go on; answers what could not be done, if anything. */
  Optional<CaliberException> all(SpaceId space, BooleanSupplier mayGoOn) {
    for (Chore chore : Chore.values()) {
      attempt(() -> drain(space, chore, mayGoOn));
    }
    attempt(() -> endLate(space, mayGoOn));
    return failures.stream().findFirst();
  }

  Tended done() {
    return new Tended(
        done.getOrDefault(Chore.FAILURES, 0),
        done.getOrDefault(Chore.LEASES, 0),
        done.getOrDefault(Chore.MAIL, 0),
        done.getOrDefault(Chore.OLD_MAIL, 0),
        ended);
  }

  private void attempt(Runnable chore) {
    try {
      chore.run();
    } catch (CaliberException e) {
      LOG.warn("Something that has to happen by itself could not: {}", e.report());
      failures.add(e);
    }
  }

  /** Asks whether it may go on only where there is more: that is a commit as well. */
  private void drain(SpaceId space, Chore chore, BooleanSupplier mayGoOn) {
    int batch = rules.batch();
    int found;
    do {
      found = store.write(space, transaction -> operations.apply(transaction).tend(chore, batch));
      done.merge(chore, found, Integer::sum);
    } while (found >= batch && mayGoOn.getAsBoolean());
  }

  /** One commit for each; ends when a whole page could not be moved. */
  private void endLate(SpaceId space, BooleanSupplier mayGoOn) {
    List<Id> late = late(space);
    while (!late.isEmpty() && mayGoOn.getAsBoolean()) {
      int before = failures.size();
      late.forEach(id -> attempt(() -> end(space, id)));
      late = failures.size() - before == late.size() ? List.of() : late(space);
    }
  }

  private List<Id> late(SpaceId space) {
    return store.read(
        space,
        snapshot ->
            DelegationWork.late(new Rows(snapshot, rules.page()), clock.instant(), rules.batch()));
  }

  /** Where the receiver's task cannot be ended with it, a job of its own tries again. */
  private void end(SpaceId space, Id delegation) {
    try {
      store.write(space, transaction -> operations.apply(transaction).end(delegation));
    } catch (CaliberException e) {
      LOG.warn("The task of delegation {} is ended later: {}", delegation, e.report());
      store.write(space, transaction -> operations.apply(transaction).endAlone(delegation));
    }
    ended++;
  }
}
