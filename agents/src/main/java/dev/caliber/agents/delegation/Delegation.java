package dev.caliber.agents.delegation;

import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.memory.record.NullableColumns;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Work that one agent delegated to another.
 *
 * @param answerBy when it is rejected unless an agent has accepted it
 * @param deadline when it fails unless it is completed
 * @param childTrajectory the receiver's task
 * @param report the last report
 * @param result JSON text
 */
public record Delegation(
    Id id,
    AgentId delegator,
    Recipient to,
    DelegatedTask task,
    Instant answerBy,
    Optional<Instant> deadline,
    DelegationStatus status,
    Optional<AgentId> delegatee,
    Optional<Id> childTrajectory,
    Optional<String> report,
    Optional<String> result,
    Instant createdAt,
    Instant updatedAt,
    Optional<Instant> acceptedAt,
    Optional<Instant> completedAt) {

  public static final Table<Delegation> TABLE =
      Table.of(
              "delegation",
              "Work that agents delegated to others.",
              Delegation.class,
              Delegation::id)
          .text("delegator", delegation -> delegation.delegator.value())
          .text("delegatee", delegation -> NullableColumns.textOrNull(delegation.delegatee))
          .text("trajectory", delegation -> delegation.task.trajectory().toString())
          .text(
              "child_trajectory",
              delegation -> NullableColumns.textOrNull(delegation.childTrajectory))
          .text("pending_inbox", Delegation::pendingInbox)
          .text("status", delegation -> delegation.status.name())
          .instant("due_at", delegation -> NullableColumns.instantOrNull(delegation.dueAt()))
          .index("pending_inbox")
          .index("trajectory")
          .index("child_trajectory")
          .index("delegator")
          .index("delegatee")
          .index("status")
          .index("due_at");

  private @Nullable String pendingInbox() {
    return status == DelegationStatus.PENDING ? to.inbox() : null;
  }

  /** Returns when it ends automatically. */
  public Optional<Instant> dueAt() {
    return switch (status) {
      case PENDING -> Optional.of(answerBy);
      case ACCEPTED, IN_PROGRESS -> deadline;
      case COMPLETED, REJECTED, FAILED -> Optional.empty();
    };
  }

  public Delegation withAcceptance(AgentId by, Id child, Instant now) {
    return new Delegation(
        id,
        delegator,
        to,
        task,
        answerBy,
        deadline,
        status.next(DelegationStatus.DelegationTransition.ACCEPT),
        Optional.of(by),
        Optional.of(child),
        report,
        result,
        createdAt,
        now,
        Optional.of(now),
        completedAt);
  }

  /**
   * Applies a transition other than accepting; the words are the result when completing, else a
   * report.
   */
  public Delegation withStatusAfter(
      DelegationStatus.DelegationTransition delegationTransition,
      Optional<String> words,
      Instant now) {
    DelegationStatus next = status.next(delegationTransition);
    boolean done = delegationTransition == DelegationStatus.DelegationTransition.COMPLETE;
    return new Delegation(
        id,
        delegator,
        to,
        task,
        answerBy,
        deadline,
        next,
        delegatee,
        childTrajectory,
        done ? report : words.or(() -> report),
        done ? words : result,
        createdAt,
        now,
        acceptedAt,
        Optional.of(now).filter(_ -> next.isTerminal()));
  }
}
