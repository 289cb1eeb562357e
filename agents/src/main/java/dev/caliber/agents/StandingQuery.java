package dev.caliber.agents;

import dev.caliber.agents.Standing.Stuck;
import dev.caliber.agents.Standing.Waiter;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds out how things stand. */
record StandingQuery(AgentsView view, Snapshot snapshot, Instant now, Instant cutoff) {

  Standing ask() {
    List<Lease> leases = view.leases().stream().filter(lease -> lease.isLive(now)).toList();
    return new Standing(leases, waiters(), stuck().toList());
  }

  private List<Waiter> waiters() {
    Waiting waiting = new Waiting(snapshot, now);
    return view.waits().stream()
        .filter(wait -> wait.isLive(now))
        .map(
            wait ->
                new Waiter(
                    wait.agent(),
                    wait.resource(),
                    waiting.before(Waiting.Wish.of(wait)),
                    wait.since()))
        .toList();
  }

  private Stream<Stuck> stuck() {
    return Stream.of(agents(), waits(), messages(), delegations(), handoffs(), conflicts())
        .flatMap(Function.identity());
  }

  private Stream<Stuck> agents() {
    Stream<Stuck> failed =
        view.agents(AgentStatus.FAILED).stream()
            .map(agent -> stuck("agent", agent.id(), "failed", agent.updatedAt()));
    Stream<Stuck> blocked =
        view.agents(AgentStatus.BLOCKED).stream()
            .filter(agent -> agent.updatedAt().isBefore(cutoff))
            .map(agent -> stuck("agent", agent.id(), "blocked", agent.updatedAt()));
    return Stream.concat(failed, blocked);
  }

  private Stream<Stuck> waits() {
    return view.waits().stream()
        .filter(wait -> wait.isLive(now) && wait.since().isBefore(cutoff))
        .map(
            wait -> stuck("wait", wait.agent() + " for " + wait.resource(), "waits", wait.since()));
  }

  private Stream<Stuck> messages() {
    return view.messages(MessageState.DEAD).stream()
        .map(message -> stuck("message", message.id(), "dead letter", message.createdAt()));
  }

  private Stream<Stuck> delegations() {
    return Stream.of(
            DelegationStatus.PENDING, DelegationStatus.ACCEPTED, DelegationStatus.IN_PROGRESS)
        .flatMap(status -> view.delegations(status).stream())
        .filter(work -> work.updatedAt().isBefore(cutoff) || isOrphaned(work))
        .map(
            work ->
                stuck(
                    "delegation",
                    work.id(),
                    isOrphaned(work) ? "its agent failed" : Words.of(work.status()),
                    work.updatedAt()));
  }

  private boolean isOrphaned(Delegation work) {
    return work.delegatee()
        .flatMap(view::find)
        .filter(agent -> agent.status() == AgentStatus.FAILED)
        .isPresent();
  }

  private Stream<Stuck> handoffs() {
    return Stream.of(HandoffStatus.INITIATED, HandoffStatus.ACCEPTED)
        .flatMap(status -> view.handoffs(status).stream())
        .filter(handoff -> handoff.isOpen() && lastMove(handoff).isBefore(cutoff))
        .map(
            handoff ->
                stuck("handoff", handoff.id(), Words.of(handoff.status()), lastMove(handoff)));
  }

  private static Instant lastMove(Handoff handoff) {
    return handoff.acceptedAt().orElse(handoff.initiatedAt());
  }

  private Stream<Stuck> conflicts() {
    return view.unresolved().stream()
        .filter(
            conflict ->
                conflict.status() == ConflictStatus.ESCALATED
                    || conflict.detectedAt().isBefore(cutoff))
        .map(
            conflict ->
                stuck(
                    "conflict", conflict.id(), Words.of(conflict.status()), conflict.detectedAt()));
  }

  private static Stuck stuck(String kind, Object id, String reason, Instant since) {
    return new Stuck(kind, id.toString(), reason, since);
  }
}
