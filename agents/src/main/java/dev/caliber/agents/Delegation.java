package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Work that one agent gave to another.
 *
 * @param answerBy when it is rejected unless somebody has accepted it
 * @param deadline when it has failed unless it is done
 * @param childTrajectory the task that the receiver does it in
 * @param report the last words about it
 * @param result JSON text
 */
public record Delegation(
    Id id,
    AgentId delegator,
    Address to,
    Task task,
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
      Table.of("delegation", "Work that agents gave to others.", Delegation.class, Delegation::id)
          .text("delegator", delegation -> delegation.delegator.value())
          .text("delegatee", delegation -> Columns.text(delegation.delegatee))
          .text("trajectory", delegation -> delegation.task.trajectory().toString())
          .text("child_trajectory", delegation -> Columns.text(delegation.childTrajectory))
          .text("pending_inbox", Delegation::pendingInbox)
          .text("status", delegation -> delegation.status.name())
          .instant("due_at", delegation -> Columns.instant(delegation.dueAt()))
          .index("pending_inbox")
          .index("trajectory")
          .index("child_trajectory")
          .index("delegator")
          .index("delegatee")
          .index("status")
          .index("due_at");

  static Delegation of(Id id, Delegate command, Instant answerBy, Instant now) {
    return new Delegation(
        id,
        command.delegator(),
        command.to(),
        command.task(),
        answerBy,
        command.within().map(now::plus),
        DelegationStatus.LIFE.initial(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        now,
        now,
        Optional.empty(),
        Optional.empty());
  }

  static final Inboxes.Kind<Delegation> WAITING =
      new Inboxes.Kind<>(TABLE, Delegation::id, delegation -> delegation.to.inbox());

  private @Nullable String pendingInbox() {
    return status == DelegationStatus.PENDING ? to.inbox() : null;
  }

  /** When it ends by itself. */
  Optional<Instant> dueAt() {
    return switch (status) {
      case PENDING -> Optional.of(answerBy);
      case ACCEPTED, IN_PROGRESS -> deadline;
      case COMPLETED, REJECTED, FAILED -> Optional.empty();
    };
  }

  Delegation accepted(AgentId by, Id child, Instant now) {
    return new Delegation(
        id,
        delegator,
        to,
        task,
        answerBy,
        deadline,
        status.after(DelegationStatus.Event.ACCEPT),
        Optional.of(by),
        Optional.of(child),
        report,
        result,
        createdAt,
        now,
        Optional.of(now),
        completedAt);
  }

  /** Any other move: a result completes it, other words are a report. */
  Delegation moved(DelegationStatus.Event event, Optional<String> words, Instant now) {
    DelegationStatus next = status.after(event);
    boolean done = event == DelegationStatus.Event.COMPLETE;
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
