package dev.caliber.agents;

import dev.caliber.agents.Standing.Stuck;
import dev.caliber.agents.Standing.Waiter;
import dev.caliber.store.Query;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds out how things stand; of each kind it tells so many, and where there are more it says so.
 */
final class StandingQuery {
  private final Rows rows;
  private final Reach reach;
  private final int most;
  private final int named;
  private final Instant now;
  private final Instant cutoff;
  private final SortedSet<String> cut = new TreeSet<>();
  private final Map<Resource, Crowd> crowds = new HashMap<>();
  private final Map<AgentId, Boolean> failed = new HashMap<>();

  /** How far it looks for what is stuck. */
  enum Reach {
    /** At the first rows of an index: for who asks again and again. */
    FIRST,
    ALL
  }

  StandingQuery(Rows rows, AgentsConfig config, Instant now, Reach reach) {
    this.rows = rows;
    this.reach = reach;
    this.most = config.tending().list();
    this.named = config.leases().named();
    this.now = now;
    this.cutoff = now.minus(config.tending().stuckAfter());
  }

  Standing ask() {
    List<Lease> leases = some("lease", Query.over(Lease.TABLE), lease -> lease.isLive(now));
    List<LeaseWait> waits = waits();
    List<Stuck> stuck = Stuck.KINDS.stream().flatMap(kind -> stuck(kind, waits)).toList();
    return new Standing(leases, waiters(waits), stuck, List.copyOf(cut));
  }

  /** How many of each kind are stuck, as far as it looks; what needs no look is counted. */
  Map<String, Long> counts() {
    List<LeaseWait> waits = waits();
    return Stuck.KINDS.stream().collect(Collectors.toMap(kind -> kind, kind -> count(kind, waits)));
  }

  private long count(String kind, List<LeaseWait> waits) {
    return switch (kind) {
      case "agent" -> rows.snapshot().count(in(AgentStatus.FAILED)) + blocked().count();
      case "message" -> rows.snapshot().count(in(MessageState.DEAD)) + unread().count();
      default -> stuck(kind, waits).count();
    };
  }

  private <T> List<T> some(String kind, Query<T> query, Predicate<T> wanted) {
    return switch (reach) {
      case FIRST -> rows.upTo(query, rows.page()).stream().filter(wanted).toList();
      case ALL -> {
        List<T> found = rows.upTo(query.where(wanted), most + 1);
        if (found.size() > most) {
          cut.add(kind);
        }
        yield found.stream().limit(most).toList();
      }
    };
  }

  private List<LeaseWait> waits() {
    return some("wait", Query.over(LeaseWait.TABLE), wait -> wait.isLive(now));
  }

  /** Of those before each the first are named: all of them would be the square of the queue. */
  private List<Waiter> waiters(List<LeaseWait> waits) {
    Waiting waiting = new Waiting(rows, now);
    return waits.stream().map(wait -> waiter(wait, crowd(wait.resource(), waiting))).toList();
  }

  private Crowd crowd(Resource resource, Waiting waiting) {
    return crowds.computeIfAbsent(
        resource, one -> Crowd.of(waiting.holders(one), waiting.queue(one)));
  }

  private Waiter waiter(LeaseWait wait, Crowd crowd) {
    List<AgentId> before = crowd.line(wait, named).before();
    List<AgentId> first = before.stream().limit(named).toList();
    return new Waiter(
        wait.agent(), wait.resource(), first, wait.since(), before.size() > first.size());
  }

  private Stream<Stuck> stuck(String kind, List<LeaseWait> waits) {
    return switch (kind) {
      case "agent" -> agents();
      case "wait" -> waits(waits);
      case "message" -> messages();
      case "delegation" -> delegations();
      case "handoff" -> handoffs();
      case "conflict" -> conflicts();
      default -> throw new IllegalArgumentException("Not a kind of what is stuck: " + kind);
    };
  }

  private Stream<Stuck> agents() {
    return Stream.concat(some("agent", in(AgentStatus.FAILED), _ -> true).stream(), blocked())
        .map(agent -> stuck("agent", agent.id(), Words.of(agent.status()), agent.updatedAt()));
  }

  private Stream<Agent> blocked() {
    return some("agent", in(AgentStatus.BLOCKED), agent -> agent.updatedAt().isBefore(cutoff))
        .stream();
  }

  private static Query<Agent> in(AgentStatus status) {
    return Query.over(Agent.TABLE, "status").equal(status.name());
  }

  private Stream<Stuck> waits(List<LeaseWait> waits) {
    return waits.stream()
        .filter(wait -> wait.since().isBefore(cutoff))
        .map(
            wait -> stuck("wait", wait.agent() + " for " + wait.resource(), "waits", wait.since()));
  }

  /** Dead letters, and what nobody has taken for too long. */
  private Stream<Stuck> messages() {
    Stream<Stuck> dead =
        some("message", in(MessageState.DEAD), _ -> true).stream()
            .map(message -> stuck("message", message.id(), "dead letter", message.createdAt()));
    Stream<Stuck> waiting =
        unread().map(message -> stuck("message", message.id(), "waits", message.createdAt()));
    return Stream.concat(dead, waiting);
  }

  private Stream<Message> unread() {
    return some(
        "message",
        in(MessageState.PENDING),
        message -> message.createdAt().isBefore(cutoff) && !message.isExpired(now))
        .stream();
  }

  private static Query<Message> in(MessageState state) {
    return Query.over(Message.TABLE, "state", "sequence").equal(state.name());
  }

  private Stream<Stuck> delegations() {
    return Stream.of(
            DelegationStatus.PENDING, DelegationStatus.ACCEPTED, DelegationStatus.IN_PROGRESS)
        .map(status -> Query.over(Delegation.TABLE, "status").equal(status.name()))
        .flatMap(
            open ->
                some(
                    "delegation",
                    open,
                    work -> work.updatedAt().isBefore(cutoff) || isOrphaned(work))
                    .stream())
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
        .filter(agent -> failed.computeIfAbsent(agent, this::hasFailed))
        .isPresent();
  }

  private boolean hasFailed(AgentId id) {
    return rows.snapshot()
        .find(Agent.TABLE, id)
        .filter(agent -> agent.status() == AgentStatus.FAILED)
        .isPresent();
  }

  private Stream<Stuck> handoffs() {
    return Stream.of(HandoffStatus.INITIATED, HandoffStatus.ACCEPTED)
        .map(status -> Query.over(Handoff.TABLE, "status").equal(status.name()))
        .flatMap(
            open ->
                some(
                    "handoff",
                    open,
                    handoff -> handoff.isOpen() && lastMove(handoff).isBefore(cutoff))
                    .stream())
        .map(
            handoff ->
                stuck("handoff", handoff.id(), Words.of(handoff.status()), lastMove(handoff)));
  }

  private static Instant lastMove(Handoff handoff) {
    return handoff.acceptedAt().orElse(handoff.initiatedAt());
  }

  private Stream<Stuck> conflicts() {
    return ConflictStatus.OPEN.stream()
        .map(status -> Query.over(Conflict.TABLE, "status").equal(status.name()))
        .flatMap(open -> some("conflict", open, this::isStuck).stream())
        .map(
            conflict ->
                stuck(
                    "conflict", conflict.id(), Words.of(conflict.status()), conflict.detectedAt()));
  }

  private boolean isStuck(Conflict conflict) {
    return conflict.status() == ConflictStatus.ESCALATED || conflict.detectedAt().isBefore(cutoff);
  }

  private static Stuck stuck(String kind, Object id, String reason, Instant since) {
    return new Stuck(kind, id.toString(), reason, since);
  }
}
