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
 * Handoff of a task from one agent to another.
 *
 * @param snapshot the context window at that time; it is kept permanently
 * @param supersededBy the handoff that replaced it because it made no progress
 */
public record Handoff(
    Id id,
    AgentId from,
    Recipient to,
    Id trajectory,
    Id scope,
    Id snapshot,
    HandoffOutline outline,
    SharedRecords shared,
    ContextSharing sharing,
    HandoffStatus status,
    Optional<AgentId> receiver,
    Optional<Id> supersededBy,
    Instant initiatedAt,
    Optional<Instant> acceptedAt,
    Optional<Instant> completedAt) {

  public static final Table<Handoff> TABLE =
      Table.of("handoff", "Handoffs of tasks between agents.", Handoff.class, Handoff::id)
          .text("from_agent", handoff -> handoff.from.value())
          .text("receiver", handoff -> NullableColumns.textOrNull(handoff.receiver))
          .text("pending_inbox", Handoff::pendingInbox)
          .text("trajectory", handoff -> handoff.trajectory.toString())
          .text("open_trajectory", Handoff::openTrajectory)
          .text("superseded_by", handoff -> NullableColumns.textOrNull(handoff.supersededBy))
          .text("status", handoff -> handoff.status.name())
          .index("pending_inbox")
          .index("receiver")
          .index("trajectory")
          .index("open_trajectory")
          .index("superseded_by")
          .index("status");

  private @Nullable String pendingInbox() {
    return status == HandoffStatus.INITIATED && supersededBy.isEmpty() ? to.inbox() : null;
  }

  private @Nullable String openTrajectory() {
    return isOpen() ? trajectory.toString() : null;
  }

  public boolean isOpen() {
    return !status.isTerminal() && supersededBy.isEmpty();
  }

  public Handoff withStatusAfter(
      HandoffStatus.HandoffTransition handoffTransition, AgentId by, Instant now) {
    HandoffStatus next = status.next(handoffTransition);
    boolean accepted = handoffTransition == HandoffStatus.HandoffTransition.ACCEPT;
    return withState(
        next,
        accepted ? Optional.of(by) : receiver,
        supersededBy,
        accepted ? Optional.of(now) : acceptedAt,
        Optional.of(now).filter(_ -> next.isTerminal()));
  }

  public Handoff withSupersededBy(Id by) {
    return withState(status, receiver, Optional.of(by), acceptedAt, completedAt);
  }

  private Handoff withState(
      HandoffStatus newStatus,
      Optional<AgentId> newReceiver,
      Optional<Id> by,
      Optional<Instant> accepted,
      Optional<Instant> completed) {
    return new Handoff(
        id,
        from,
        to,
        trajectory,
        scope,
        snapshot,
        outline,
        shared,
        sharing,
        newStatus,
        newReceiver,
        by,
        initiatedAt,
        accepted,
        completed);
  }
}
