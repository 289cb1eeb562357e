package dev.caliber.memory.view;

import dev.caliber.kernel.Id;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.store.Query;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;

/**
 * Open request to forget records in several commits. From the commit that writes it no read shows
 * the covered records; the commit that removes the last of them removes the request.
 *
 * @param at records written after this time are not covered
 * @param job finishes the request if the caller crashes
 */
public record ForgetRequest(Id id, ForgetRecords command, Instant at, Id job) {
  public static final Table<ForgetRequest> TABLE =
      Table.of(
              "forget_request",
              "Forget requests in progress, whose records are hidden.",
              ForgetRequest.class,
              ForgetRequest::id)
          .instant("requested_at", ForgetRequest::at)
          .withoutFeed();

  /** Maximum number of open requests; further callers wait for their job. */
  private static final int OPEN_BOUND = 100;

  private static final String FACT = "forget_request";

  /** Writer cache entry that saves looking for requests in a space without any. */
  private record OpenRequestsFlag(boolean hasOpenRequests) {}

  /** Returns the open requests of the space, usually none. */
  public static List<ForgetRequest> openRequests(Snapshot snapshot) {
    if (!(snapshot instanceof Transaction transaction)) {
      return readRequests(snapshot);
    }
    if (transaction
        .cachedFact(FACT, OpenRequestsFlag.class)
        .filter(openRequestsFlag -> !openRequestsFlag.hasOpenRequests)
        .isPresent()) {
      return List.of();
    }
    List<ForgetRequest> open = readRequests(transaction);
    transaction.cacheFact(FACT, new OpenRequestsFlag(!open.isEmpty()));
    return open;
  }

  private static List<ForgetRequest> readRequests(Snapshot snapshot) {
    return snapshot.scan(Query.over(TABLE), OPEN_BOUND).records();
  }

  public void open(Transaction transaction) {
    transaction.insert(TABLE, this);
    transaction.cacheFact(FACT, new OpenRequestsFlag(true));
  }

  public static void close(Transaction transaction, Id request) {
    transaction.delete(TABLE, request);
  }
}
