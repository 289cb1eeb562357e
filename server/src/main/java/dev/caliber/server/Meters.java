package dev.caliber.server;

import dev.caliber.agents.Agent;
import dev.caliber.agents.AgentStatus;
import dev.caliber.agents.AgentsErrorCode;
import dev.caliber.agents.Conflict;
import dev.caliber.agents.ConflictStatus;
import dev.caliber.agents.Delegation;
import dev.caliber.agents.DelegationStatus;
import dev.caliber.agents.Handoff;
import dev.caliber.agents.Lease;
import dev.caliber.agents.LeaseWait;
import dev.caliber.agents.Message;
import dev.caliber.agents.MessageState;
import dev.caliber.agents.Standing.Stuck;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.Rooms;
import dev.caliber.store.JobState;
import dev.caliber.store.Jobs;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What is held, waited for and left to do in all spaces, counted along indexes when somebody asks;
 * what is stuck is looked for and {@linkplain StuckCounts kept for a while}. What has ended is not
 * counted: there is ever more of it.
 */
record Meters(Rooms rooms, Jobs jobs, Operations operations) implements MeterBinder {
  private static final List<MessageState> ON_THE_WAY =
      List.of(MessageState.PENDING, MessageState.DELIVERED, MessageState.DEAD);
  private static final List<DelegationStatus> UNDONE =
      List.of(DelegationStatus.PENDING, DelegationStatus.ACCEPTED, DelegationStatus.IN_PROGRESS);
  private static final List<ConflictStatus> UNRESOLVED =
      List.of(ConflictStatus.DETECTED, ConflictStatus.RESOLVING, ConflictStatus.ESCALATED);

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge("caliber.leases.held", "Leases that are held.", () -> count(this::held))
        .register(registry);
    gauge("caliber.leases.waiting", "Places in queues for leases.", () -> count(this::waiting))
        .register(registry);
    for (MessageState state : ON_THE_WAY) {
      gauge(
              "caliber.messages",
              "Messages that are not done: waiting, taken, dead letters.",
              () -> count(() -> messages(state)))
          .tag("state", word(state))
          .register(registry);
    }
    for (JobState state : JobState.values()) {
      gauge(
              "caliber.jobs",
              "Work for later: scheduled, being done, given up.",
              () -> count(() -> jobs(state)))
          .tag("state", word(state))
          .register(registry);
    }
    gauge(
            "caliber.jobs.unhandled",
            "Work that is long due and of a kind that this process does not handle.",
            () -> sum(jobs::countUnhandled))
        .register(registry);
    bindAgents(registry);
    bindTroubles(registry);
  }

  private void bindAgents(MeterRegistry registry) {
    for (AgentStatus status : AgentStatus.values()) {
      gauge("caliber.agents", "Registered agents.", () -> count(Agent.TABLE, status))
          .tag("status", word(status))
          .register(registry);
    }
    for (DelegationStatus status : UNDONE) {
      gauge(
              "caliber.delegations",
              "Delegated work that is not done.",
              () -> count(Delegation.TABLE, status))
          .tag("status", word(status))
          .register(registry);
    }
    gauge(
            "caliber.handoffs.open",
            "Tasks that pass from agent to agent and have not arrived.",
            () -> count(Meters::handoffs))
        .register(registry);
  }

  /** What somebody may have to see to. */
  private void bindTroubles(MeterRegistry registry) {
    StuckCounts stuck = new StuckCounts(rooms);
    for (ConflictStatus status : UNRESOLVED) {
      gauge(
              "caliber.conflicts",
              "Conflicts that nobody has resolved.",
              () -> count(Conflict.TABLE, status))
          .tag("status", word(status))
          .register(registry);
    }
    for (String kind : Stuck.KINDS) {
      gauge(
              "caliber.stuck",
              "What does not go on, looked for every few seconds.",
              () -> stuck.count(kind))
          .tag("kind", kind)
          .register(registry);
    }
    for (AgentsErrorCode code : AgentsErrorCode.values()) {
      FunctionCounter.builder("caliber.agents.refusals", operations, all -> all.refused(code))
          .description("What agents were refused, since the server began.")
          .tag("code", word(code))
          .register(registry);
    }
  }

  private static Gauge.Builder<Supplier<Number>> gauge(
      String name, String description, Supplier<Number> value) {
    return Gauge.builder(name, value).description(description);
  }

  private Query<Lease> held() {
    return Query.over(Lease.TABLE, "expires_at").from(rooms.clock().instant());
  }

  private Query<LeaseWait> waiting() {
    return Query.over(LeaseWait.TABLE, "kept_until").from(rooms.clock().instant());
  }

  private static Query<Message> messages(MessageState state) {
    return Query.over(Message.TABLE, "state", "sequence").equal(state.name());
  }

  private static Query<?> jobs(JobState state) {
    return Query.over(Jobs.TABLE, "state", "kind").equal(state.name());
  }

  /** One that is over, or that another has taken the place of, has no open task. */
  private static Query<Handoff> handoffs() {
    return Query.over(Handoff.TABLE, "open_trajectory").from("");
  }

  private static String word(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private long count(Table<?> table, Enum<?> status) {
    return count(() -> Query.over(table, "status").equal(status.name()));
  }

  private long count(Supplier<Query<?>> query) {
    return sum(space -> rooms.store().read(space, snapshot -> snapshot.count(query.get())));
  }

  private long sum(ToLongFunction<SpaceId> inOne) {
    return rooms.store().spaces().stream().mapToLong(inOne).sum();
  }
}
