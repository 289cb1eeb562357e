package dev.caliber.server.operation;

import dev.caliber.agents.registry.ActingAgent;
import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Timestamps;
import dev.caliber.memory.view.CleanupStep;
import dev.caliber.memory.view.ForgetListener;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stored answer to a request with an idempotency key, written in the commit of the request.
 * While a request of several commits runs, a record without an answer keeps the same request from
 * running twice.
 *
 * @param id the hash of caller, acting agent and key
 * @param request the hash of the request
 * @param body JSON text; absent while pending, and for answers with a secret
 * @param pending whether the request is still running
 */
record IdempotencyRecord(
    String id,
    String operation,
    String request,
    Optional<String> body,
    Optional<Long> revision,
    Optional<Boolean> pending,
    Instant expiresAt) {

  static final Table<IdempotencyRecord> TABLE =
      Table.of(
              "kept_answer",
              "Answers to requests with an idempotency key, kept for a limited time.",
              IdempotencyRecord.class,
              IdempotencyRecord::id)
          .text("operation", IdempotencyRecord::operation)
          .instant("expires_at", IdempotencyRecord::expiresAt)
          .index("expires_at")
          .withoutFeed()
          .importedOnlyIfNamed();

  static String idOf(Caller caller, String key) {
    List<String> parts = new ArrayList<>(List.of(caller.id(), key));
    caller.agent().map(ActingAgent::toString).ifPresent(parts::add);
    caller.subject().map("subject "::concat).ifPresent(parts::add);
    return FieldHash.hash("idempotency", parts.toArray(String[]::new));
  }

  static String requestHash(OperationRequest operationRequest) {
    String precondition = operationRequest.ifMatch().map(String::valueOf).orElse("");
    return FieldHash.hash(
        "request", operationRequest.operation(), precondition, operationRequest.input().toString());
  }

  boolean isPending() {
    return pending.orElse(false);
  }

  /** Returns whether the stored record is still this one and not one of another request. */
  boolean isUnchanged(IdempotencyRecord stored) {
    return pending.equals(stored.pending)
        && Timestamps.format(expiresAt).equals(Timestamps.format(stored.expiresAt));
  }

  /** Deletes all stored answers when a record is forgotten, because they may quote it. */
  static ForgetListener forgetListener() {
    return (_, purgeBudget) ->
        purgeBudget.remove(TABLE, Query.over(TABLE).where(answer -> !answer.isPending()));
  }

  /** Returns the clean-up step that removes expired records. */
  static CleanupStep cleanupStep() {
    return CleanupStep.deletingOlder("kept answers", TABLE, "expires_at", Duration.ZERO);
  }
}
