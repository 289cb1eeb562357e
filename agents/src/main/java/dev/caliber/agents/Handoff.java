package dev.caliber.agents;

import dev.caliber.kernel.Id;
import dev.caliber.store.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task that passes from one agent to another.
 *
 * @param snapshot the context window as it was; it is kept for good
 * @param supersededBy the handoff that took its place because it hung
 */
public record Handoff(
    Id id,
    AgentId from,
    Address to,
    Id trajectory,
    Id scope,
    Id snapshot,
    Outline outline,
    Shared shared,
    Sharing sharing,
    HandoffStatus status,
    Optional<AgentId> receiver,
    Optional<Id> supersededBy,
    Instant initiatedAt,
    Optional<Instant> acceptedAt,
    Optional<Instant> completedAt) {

  public static final Table<Handoff> TABLE =
      Table.of("handoff", "Tasks that pass from agent to agent.", Handoff.class, Handoff::id)
          .text("from_agent", handoff -> handoff.from.value())
          .text("receiver", handoff -> Columns.text(handoff.receiver))
          .text("pending_inbox", Handoff::pendingInbox)
          .text("trajectory", handoff -> handoff.trajectory.toString())
          .text("open_trajectory", Handoff::openTrajectory)
          .text("superseded_by", handoff -> Columns.text(handoff.supersededBy))
          .text("status", handoff -> handoff.status.name())
          .index("pending_inbox")
          .index("receiver")
          .index("trajectory")
          .index("open_trajectory")
          .index("superseded_by")
          .index("status");

  static final Inboxes.Kind<Handoff> WAITING =
      new Inboxes.Kind<>(TABLE, Handoff::id, handoff -> handoff.to.inbox());

  private @Nullable String pendingInbox() {
    return status == HandoffStatus.INITIATED && supersededBy.isEmpty() ? to.inbox() : null;
  }

  private @Nullable String openTrajectory() {
    return isOpen() ? trajectory.toString() : null;
  }

  boolean isOpen() {
    return !status.isTerminal() && supersededBy.isEmpty();
  }

  Handoff moved(HandoffStatus.Event event, AgentId by, Instant now) {
    HandoffStatus next = status.after(event);
    boolean accepted = event == HandoffStatus.Event.ACCEPT;
    return with(
        next,
        accepted ? Optional.of(by) : receiver,
        supersededBy,
        accepted ? Optional.of(now) : acceptedAt,
        Optional.of(now).filter(_ -> next.isTerminal()));
  }

  Handoff superseded(Id by) {
    return with(status, receiver, Optional.of(by), acceptedAt, completedAt);
  }

  private Handoff with(
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
