package dev.caliber.server.operation;

import dev.caliber.agents.ActingAgent;
import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.CleanupStep;
import dev.caliber.memory.QuotingRoom;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a request with an idempotency key, written in the commit of the request. While a
 * request that takes several commits is worked on, there is one without an answer, which keeps the
 * same request from being worked on twice.
 *
 * @param id the hash of who asked, as which agent, and the key
 * @param request the hash of what was asked
 * @param body JSON text; nothing before it is there, or if it holds a secret
 * @param pending whether it is being worked on
 */
record KeptAnswer(
    String id,
    String operation,
    String request,
    Optional<String> body,
    Optional<Long> revision,
    Optional<Boolean> pending,
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
          .quiet()
          .importedByName();

  static String idOf(Caller caller, String key) {
    List<String> parts = new ArrayList<>(List.of(caller.id(), key));
    caller.agent().map(ActingAgent::toString).ifPresent(parts::add);
    caller.subject().map("subject "::concat).ifPresent(parts::add);
    return Hashing.hash("idempotency", parts.toArray(String[]::new));
  }

  static String requestOf(Call call) {
    String precondition = call.ifMatch().map(String::valueOf).orElse("");
    return Hashing.hash("request", call.operation(), precondition, call.input().toString());
  }

  boolean isPending() {
    return pending.orElse(false);
  }

  /** Whether this is what was kept then, and not what another has kept in its place. */
  boolean isSame(KeptAnswer kept) {
    return pending.equals(kept.pending)
        && Timestamps.format(expiresAt).equals(Timestamps.format(kept.expiresAt));
  }

  /** An answer quotes what it was about: once something is forgotten, none is given again. */
  static QuotingRoom quoting() {
    return (_, purge) ->
        purge.remove(TABLE, Query.over(TABLE).where(answer -> !answer.isPending()));
  }

  /** Removes those whose time is over. */
  static final class Expired implements CleanupStep {
    @Override
    public String name() {
      return "kept answers";
    }

    @Override
    public Cleaned clean(Transaction transaction, int batch) {
      List<KeptAnswer> expired =
          transaction
              .scan(Query.over(TABLE, "expires_at").until(transaction.now()), batch)
              .records();
      expired.forEach(answer -> transaction.delete(TABLE, answer.id()));
      return Cleaned.of(expired.size(), batch);
    }
  }
}
