package dev.caliber.server;

import dev.caliber.agents.CoordinationStatus.StuckItem;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.conflict.ConflictStatus;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentStatus;
import dev.caliber.agents.registry.AgentsErrorCode;
import dev.caliber.kernel.SpaceId;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.ServerModules;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.job.JobState;
import dev.caliber.store.job.Jobs;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Gauges of leases, queues and open work in all spaces, counted along indexes when metrics are
 * read; counts of stuck items are {@linkplain StuckWorkCounter cached for a while}. Ended records
 * are not counted, because their number only grows.
 */
record SpaceGauges(ServerModules modules, Jobs jobs, OperationDispatcher operations)
    implements MeterBinder {
  private static final List<MessageState> ON_THE_WAY =
      List.of(MessageState.PENDING, MessageState.DELIVERED, MessageState.DEAD);
  private static final List<DelegationStatus> UNDONE =
      List.of(DelegationStatus.PENDING, DelegationStatus.ACCEPTED, DelegationStatus.IN_PROGRESS);
  private static final List<ConflictStatus> UNRESOLVED =
      List.of(ConflictStatus.DETECTED, ConflictStatus.RESOLVING, ConflictStatus.ESCALATED);

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge("caliber.leases.held", "Leases currently held.", () -> count(this::heldLeases))
        .register(registry);
    gauge("caliber.leases.queued", "Entries in lease queues.", () -> count(this::leaseWaits))
        .register(registry);
    for (MessageState state : ON_THE_WAY) {
      gauge(
              "caliber.messages",
              "Messages pending, delivered but not acknowledged, or dead, by state.",
              () -> count(() -> messagesInState(state)))
          .tag("state", lowerCaseName(state))
          .register(registry);
    }
    for (JobState state : JobState.values()) {
      gauge(
              "caliber.jobs",
              "Background jobs by state: READY, RUNNING, DEAD.",
              () -> count(() -> jobsInState(state)))
          .tag("state", lowerCaseName(state))
          .register(registry);
    }
    gauge(
            "caliber.jobs.unhandled",
            "Overdue background jobs of kinds that this process cannot run.",
            () -> sumOverSpaces(jobs::countUnhandled))
        .register(registry);
    bindAgentMeters(registry);
    bindProblemMeters(registry);
  }

  private void bindAgentMeters(MeterRegistry registry) {
    for (AgentStatus status : AgentStatus.values()) {
      gauge("caliber.agents", "Registered agents.", () -> count(Agent.TABLE, status))
          .tag("status", lowerCaseName(status))
          .register(registry);
    }
    for (DelegationStatus status : UNDONE) {
      gauge(
              "caliber.delegations",
              "Delegations not yet completed, by status.",
              () -> count(Delegation.TABLE, status))
          .tag("status", lowerCaseName(status))
          .register(registry);
    }
    gauge(
            "caliber.handoffs.open",
            "Handoffs not yet completed.",
            () -> count(SpaceGauges::openHandoffs))
        .register(registry);
  }

  /** Registers gauges of states that an operator may have to act on. */
  private void bindProblemMeters(MeterRegistry registry) {
    StuckWorkCounter stuck = new StuckWorkCounter(modules);
    for (ConflictStatus status : UNRESOLVED) {
      gauge(
              "caliber.conflicts",
              "Unresolved conflicts, by status.",
              () -> count(Conflict.TABLE, status))
          .tag("status", lowerCaseName(status))
          .register(registry);
    }
    for (String kind : StuckItem.KINDS) {
      gauge(
              "caliber.coordination.stuck",
              "Number of agents, lease waits, messages, delegations, handoffs and conflicts without progress, by kind; refreshed every 10 s.",
              () -> stuck.count(kind))
          .tag("kind", kind)
          .register(registry);
    }
    for (AgentsErrorCode code : AgentsErrorCode.values()) {
      FunctionCounter.builder(
              "caliber.agents.rejections", operations, all -> all.refusalCount(code))
          .description("Agent commands rejected since server start, by error code.")
          .tag("code", lowerCaseName(code))
          .register(registry);
    }
  }

  private static Gauge.Builder<Supplier<Number>> gauge(
      String name, String description, Supplier<Number> value) {
    return Gauge.builder(name, value).description(description);
  }

  private Query<Lease> heldLeases() {
    return Query.over(Lease.TABLE, "expires_at").from(modules.clock().instant());
  }

  private Query<LeaseQueueEntry> leaseWaits() {
    return Query.over(LeaseQueueEntry.TABLE, "kept_until").from(modules.clock().instant());
  }

  private static Query<Message> messagesInState(MessageState state) {
    return Query.over(Message.TABLE, "state", "sequence").equal(state.name());
  }

  private static Query<?> jobsInState(JobState state) {
    return Query.over(Jobs.TABLE, "state", "kind").equal(state.name());
  }

  /** Returns handoffs that are open: a handoff that is closed or superseded is not counted. */
  private static Query<Handoff> openHandoffs() {
    return Query.over(Handoff.TABLE, "open_trajectory").from("");
  }

  private static String lowerCaseName(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private long count(Table<?> table, Enum<?> status) {
    return count(() -> Query.over(table, "status").equal(status.name()));
  }

  private long count(Supplier<Query<?>> query) {
    return sumOverSpaces(
        space -> modules.store().read(space, snapshot -> snapshot.count(query.get())));
  }

  private long sumOverSpaces(ToLongFunction<SpaceId> inOne) {
    return modules.store().spaces().stream().mapToLong(inOne).sum();
  }
}
