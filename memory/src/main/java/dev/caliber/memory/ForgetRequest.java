package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.Forget;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;

/**
 * What is being forgotten in several commits. From the commit that writes it no read shows what it
 * covers; the commit that removes the last of that removes it as well.
 *
 * @param at what was written later by clocks that agree stays
 * @param job finishes it if the caller dies
 */
public record ForgetRequest(Id id, Forget command, Instant at, Id job) {
  static final Table<ForgetRequest> TABLE =
      Table.of(
              "forget_request",
              "What is hidden and being erased.",
              ForgetRequest.class,
              ForgetRequest::id)
          .instant("requested_at", ForgetRequest::at)
          .quiet();

  /** So many callers may forget at a time; more wait for their job. */
  private static final int OPEN_BOUND = 100;

  private static final String FACT = "forget_request";

  /** Whether a space has any; kept in mind by writers, who need not look then. */
  private record Known(boolean some) {}

  /** Those of the space, as a rule none. */
  static List<ForgetRequest> open(Snapshot snapshot) {
    if (!(snapshot instanceof Transaction transaction)) {
      return read(snapshot);
    }
    if (transaction.inMind(FACT, Known.class).filter(known -> !known.some).isPresent()) {
      return List.of();
    }
    List<ForgetRequest> open = read(transaction);
    transaction.keepInMind(FACT, new Known(!open.isEmpty()));
    return open;
  }

  private static List<ForgetRequest> read(Snapshot snapshot) {
    return snapshot.scan(Query.over(TABLE), OPEN_BOUND).records();
  }

  void open(Transaction transaction) {
    transaction.insert(TABLE, this);
    transaction.keepInMind(FACT, new Known(true));
  }

  static void close(Transaction transaction, Id request) {
    transaction.delete(TABLE, request);
  }
}
