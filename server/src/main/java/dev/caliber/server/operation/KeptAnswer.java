package dev.caliber.server.operation;

import dev.caliber.kernel.Hashing;
import dev.caliber.memory.CleanupStep;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a request with an idempotency key, written in the commit of the request.
 *
 * @param id the hash of who asked and the key
 * @param request the hash of what was asked
 * @param body JSON text
 */
record KeptAnswer(
    String id,
    String operation,
    String request,
    String body,
    Optional<Long> revision,
    Instant expiresAt) {

  static final Table<KeptAnswer> TABLE =
      Table.of(
              "kept_answer",
              "Answers to requests with an idempotency key, for some time.",
              KeptAnswer.class,
              KeptAnswer::id)
          .text("operation", KeptAnswer::operation)
          .instant("expires_at", KeptAnswer::expiresAt)
          .index("expires_at")
          .quiet();

  static String idOf(Caller caller, String key) {
    return Hashing.hash("idempotency", caller.actor(), key);
  }

  static String requestOf(Call call) {
    return Hashing.hash("request", call.operation(), call.input().toString());
  }

  /** Removes those whose time is over. */
  static final class Expired implements CleanupStep {
    @Override
    public String name() {
      return "kept answers";
    }

    @Override
    public boolean clean(Transaction transaction, int batch) {
      List<KeptAnswer> expired =
          transaction
              .scan(Query.over(TABLE, "expires_at").until(transaction.now()), batch)
              .records();
      expired.forEach(answer -> transaction.delete(TABLE, answer.id()));
      return expired.size() == batch;
    }
  }
}
