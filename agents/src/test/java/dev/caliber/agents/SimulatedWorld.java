package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.agents.command.AcknowledgeMessage;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AcquireLeaseResult;
import dev.caliber.agents.command.AssignTask;
import dev.caliber.agents.command.CreateDelegation;
import dev.caliber.agents.command.LeaveLeaseQueue;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.command.RenewLease;
import dev.caliber.agents.command.ReturnMessage;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.command.StartHandoff;
import dev.caliber.agents.command.TransitionDelegation;
import dev.caliber.agents.command.TransitionHandoff;
import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffOutline;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.lease.Invariants;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseMode;
import dev.caliber.agents.lease.LeaseQueueEntry;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessagePriority;
import dev.caliber.agents.registry.Agent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentsException;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NoteType;
import dev.caliber.store.job.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Simulation of fifty agents on three nodes that share one database. Nodes have wrong, changing
 * clocks; agents and nodes crash and forget their state, or pause and continue as if nothing had
 * happened; responses get lost after the commit, requests before it. Due work is done by the jobs
 * of the nodes only, and a node may die at it. Everything comes from the seed: in some seeds all
 * clocks are right, and in some no node dies, so that stricter invariants can be checked.
 */
final class SimulatedWorld {
  private static final int AGENTS = 50;
  private static final int BUSY = 4;
  private static final int NODES = 3;
  private static final int RESOURCES = 3;
  private static final int TASKS = 2;
  private static final int MOST_SKEW = 20;
  private static final Duration DRAIN = Duration.ofMinutes(3);
  private static final HandoffOutline OUTLINE =
      HandoffOutline.of("Half of it is done.", "end of shift");

  private final House house;
  private final Memory memory;
  private final Agents agents;
  private final SkewedClock clock;
  private final SpaceId space;
  private final RandomSource randomSource;
  private final Invariants invariants;
  private final boolean skewed;
  private final List<Instant> deaths = new ArrayList<>();
  private final boolean mortal;
  private final Duration[] skews = new Duration[NODES];
  private final List<SimulatedAgent> crowd;
  private final Map<Id, Set<AgentId>> acknowledgers = new HashMap<>();
  private final List<Window> tasks;
  private int sent;

  /** Agent with its own view of its state. */
  private static final class SimulatedAgent {
    final AgentId id;
    final int node;
    final List<Lease> leases = new ArrayList<>();
    final List<Id> messages = new ArrayList<>();
    final List<Id> work = new ArrayList<>();
    final List<Id> takenOver = new ArrayList<>();
    int asleep;

    SimulatedAgent(AgentId id, int node) {
      this.id = id;
      this.node = node;
    }

    void crash() {
      Stream.of(leases, messages, work, takenOver).forEach(List::clear);
    }
  }

  /** Objects that all seeds share, and the events that occurred in any of them. */
  record House(
      NodeStore store,
      Memory memory,
      ContextAssembler contexts,
      Agents agents,
      Jobs jobs,
      SkewedClock clock,
      Map<String, Integer> seen) {}

  SimulatedWorld(House house, SpaceId space, long seed) {
    this.house = house;
    this.memory = house.memory();
    this.agents = house.agents();
    this.clock = house.clock();
    this.space = space;
    this.randomSource = RandomSource.seeded(seed);
    this.skewed = randomSource.nextInt(2) == 0;
    this.mortal = randomSource.nextInt(2) == 0;
    clock.skew(Duration.ZERO);
    house.store().createSpace(space);
    this.invariants = new Invariants(house.store(), space);
    for (int i = 0; i < NODES; i++) {
      skews[i] = someSkew();
    }
    this.crowd =
        IntStream.range(0, AGENTS)
            .mapToObj(i -> new SimulatedAgent(new AgentId("agent-" + i), i % NODES))
            .toList();
    house
        .store()
        .commit(
            space,
            transaction -> {
              crowd.forEach(agent -> agents.run(transaction, registration(agent)));
            });
    this.tasks = IntStream.range(0, TASKS).mapToObj(_ -> task()).toList();
  }

  private static RegisterAgent registration(SimulatedAgent agent) {
    AgentProfile agentProfile =
        AgentProfile.of("type-" + agent.node).withDelegateTypes("type-0", "type-1", "type-2");
    return new RegisterAgent(agent.id, agentProfile);
  }

  /** Returns a task, as the context window of its handoff. */
  private Window task() {
    Id task = memory.run(space, StartTrajectory.of("Build it", EntityRef.agent("agent-0"))).id();
    return house.contexts().assemble(space, AssembleRequest.of(task).withDryRun()).window();
  }

  private Duration someSkew() {
    return Duration.ofSeconds(skewed ? randomSource.nextInt(2 * MOST_SKEW + 1) - MOST_SKEW : 0);
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      clock.truth().advance(Duration.ofMillis(randomSource.nextInt(1200)));
      step(somebody());
      boolean moved = invariants.check();
      if (moved && !skewed) {
        invariants.nobodyWaitsInACircle(clock.instant());
      }
    }
    drain();
  }

  private void step(SimulatedAgent agent) {
    clock.skew(skews[agent.node]);
    if (agent.asleep > 0) {
      agent.asleep--;
      return;
    }
    try {
      act(agent);
    } catch (AgentsException refused) {
      assertThat(refused.code().name())
          .as("%s", refused)
          .isNotIn("NOT_REGISTERED", "UNKNOWN_RECORD");
      count(refused.code().name());
    }
  }

  private void act(SimulatedAgent agent) {
    switch (randomSource.nextInt(28)) {
      case 0 -> agent.crash();
      case 1 -> agent.asleep = randomSource.nextInt(4);
      case 2 -> trouble();
      case 3, 4 -> look();
      case 5, 6, 7, 8 -> beat(agent);
      case 9, 10, 11, 12 -> acquire(agent);
      case 13 -> release(agent);
      case 14 -> renew(agent);
      case 15, 16 -> write(agent);
      case 17, 18 -> send(agent);
      case 19 -> receive(agent);
      case 20 -> acknowledge(agent);
      case 21 -> delegate(agent);
      case 22 -> giveBack(agent);
      case 23 -> leaveQueue(agent);
      case 24 -> handOver(agent);
      case 25 -> takeOver(agent);
      default -> work(agent);
    }
  }

  private void count(String what) {
    house.seen().merge(what, 1, Integer::sum);
  }

  /** Returns a random agent; some are busier than others, so that they contend. */
  private SimulatedAgent somebody() {
    return crowd.get(randomSource.nextInt(randomSource.nextInt(2) == 0 ? BUSY : AGENTS));
  }

  /** Crashes a node, or moves its clock. */
  private void trouble() {
    int node = randomSource.nextInt(NODES);
    if (randomSource.nextInt(2) == 0) {
      crowd.stream().filter(agent -> agent.node == node).forEach(SimulatedAgent::crash);
    } else {
      skews[node] = someSkew();
    }
  }

  private boolean lost() {
    return randomSource.nextInt(8) == 0;
  }

  private <T> Optional<T> any(List<T> all) {
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.get(randomSource.nextInt(all.size())));
  }

  private <T> List<T> listed(java.util.function.Function<AgentsView, List<T>> reading) {
    return agents.view(space, reading);
  }

  private void beat(SimulatedAgent agent) {
    List<AgentId> alive =
        crowd.stream()
            .filter(other -> other.node == agent.node && other.asleep == 0)
            .map(other -> other.id)
            .toList();
    agents.run(space, new RecordHeartbeats(alive));
  }

  /** Runs the node's jobs by its clock; the node may die at any of their commits. */
  private void look() {
    boolean dies = mortal && randomSource.nextInt(8) == 0;
    if (dies) {
      house.store().life().endAfter(randomSource.nextInt(8));
    }
    try {
      house.jobs().runDue(space);
      nothingIsLate(dies ? Optional.empty() : Optional.of(clock.instant()));
    } catch (NodeStore.Died death) {
      assertThat(dies).as("%s", death).isTrue();
    }
    if (house.store().life().isOver()) {
      count("a node died at its jobs");
      deaths.add(clock.truth().instant());
    }
    house.store().life().begin();
  }

  /**
   * Checks that due work is done within the clock error; not if a node died at it, whose claim must
   * expire first.
   */
  private void nothingIsLate(Optional<Instant> looked) {
    Duration wrong = Duration.ofSeconds(skewed ? 2 * MOST_SKEW : 0);
    looked
        .filter(_ -> !isClaimedByTheDead(wrong))
        .ifPresent(
            now -> {
              invariants.nothingIsLate(now.minus(SimulationTest.INTERVAL).minus(wrong));
              count("a look at " + (skewed || mortal ? "a world in trouble" : "a world in order"));
            });
  }

  private boolean isClaimedByTheDead(Duration wrong) {
    Instant now = clock.truth().instant();
    Duration claim = SimulationTest.JOBS.leaseDuration().plus(wrong);
    return deaths.stream().anyMatch(death -> !death.plus(claim).isBefore(now));
  }

  private Resource resource() {
    return new Resource("file", "f" + randomSource.nextInt(RESOURCES));
  }

  private void acquire(SimulatedAgent agent) {
    AcquireLease wish =
        new AcquireLease(
            agent.id,
            resource(),
            randomSource.nextInt(3) == 0 ? LeaseMode.SHARED : LeaseMode.EXCLUSIVE,
            Optional.of(Duration.ofSeconds(1 + randomSource.nextInt(40))),
            randomSource.nextInt(3) > 0);
    List<Lease> held = listed(view -> view.leases(wish.resource()));
    List<LeaseQueueEntry> queue = listed(view -> view.leaseQueue(wish.resource()));
    AcquireLeaseResult got = agents.run(space, wish);
    got.grantedLease().ifPresent(_ -> Invariants.inTurn(wish, held, queue, clock.instant()));
    if (!lost()) {
      got.grantedLease().ifPresent(agent.leases::add);
    }
  }

  private void leaveQueue(SimulatedAgent agent) {
    if (agents.run(space, new LeaveLeaseQueue(agent.id, resource()))) {
      count("left a queue");
    }
  }

  private void release(SimulatedAgent agent) {
    any(agent.leases)
        .ifPresent(
            lease -> {
              agents.run(space, ReleaseLease.of(lease));
              if (!lost()) {
                agent.leases.remove(lease);
              }
            });
  }

  private void renew(SimulatedAgent agent) {
    any(agent.leases).ifPresent(lease -> agents.run(space, RenewLease.of(lease)));
  }

  /** Writes with a lease that the agent believes to hold. */
  private void write(SimulatedAgent agent) {
    any(agent.leases)
        .ifPresent(
            lease -> {
              agents.writeFenced(
                  space,
                  agent.id,
                  lease.fence(),
                  transaction ->
                      memory.run(
                          transaction,
                          WriteNote.of(
                              lease.resource().id(), "file", NoteType.FACT, "written " + sent)));
              invariants.written(lease);
              count("written");
            });
  }

  private void send(SimulatedAgent agent) {
    Recipient to =
        randomSource.nextInt(2) == 0
            ? Recipient.ofType("type-" + randomSource.nextInt(NODES))
            : Recipient.ofAgent(crowd.get(randomSource.nextInt(AGENTS)).id);
    SendMessage message =
        SendMessage.of(agent.id, to, MessageContent.of("work", "{}"))
            .withPriority(any(List.of(MessagePriority.values())).orElseThrow())
            .withKey("m" + sent);
    SendMessage wish =
        randomSource.nextInt(2) == 0
            ? message
            : message.withLifetime(Duration.ofSeconds(1 + randomSource.nextInt(60)));
    Message first = agents.run(space, wish);
    sent++;
    if (lost()) {
      assertThat(agents.run(space, wish).id()).as("sent again").isEqualTo(first.id());
    }
  }

  private void receive(SimulatedAgent agent) {
    List<Message> taken = agents.run(space, new ReceiveMessages(agent.id, 3));
    if (!lost()) {
      taken.forEach(message -> agent.messages.add(message.id()));
    }
  }

  private void acknowledge(SimulatedAgent agent) {
    any(agent.messages)
        .ifPresent(
            message -> {
              agents.run(space, new AcknowledgeMessage(agent.id, message));
              acknowledgers.computeIfAbsent(message, _ -> new HashSet<>()).add(agent.id);
              assertThat(acknowledgers.get(message)).as("who did %s", message).hasSize(1);
              if (!lost()) {
                agent.messages.remove(message);
              }
            });
  }

  private void giveBack(SimulatedAgent agent) {
    any(agent.messages)
        .ifPresent(
            message -> {
              agent.messages.remove(message);
              agents.run(space, new ReturnMessage(agent.id, message));
              count("given back");
            });
  }

  private void delegate(SimulatedAgent agent) {
    agents.run(
        space,
        CreateDelegation.of(
                agent.id,
                Recipient.ofType("type-" + randomSource.nextInt(NODES)),
                DelegatedTask.of("Part of it", any(tasks).orElseThrow().trajectory()))
            .withDeadline(Duration.ofSeconds(5 + randomSource.nextInt(60))));
  }

  private void work(SimulatedAgent agent) {
    Optional<Id> mine = any(agent.work);
    if (mine.isEmpty()) {
      any(listed(view -> view.pendingDelegations(agent.id, 10)))
          .ifPresent(
              found -> {
                agents.run(
                    space,
                    TransitionDelegation.of(
                        agent.id, found.id(), DelegationStatus.DelegationTransition.ACCEPT));
                agent.work.add(found.id());
              });
    } else {
      finish(agent, mine.get());
    }
  }

  private void finish(SimulatedAgent agent, Id work) {
    agent.work.remove(work);
    DelegationStatus status =
        agents.<Delegation>view(space, view -> view.delegation(work)).status();
    if (status == DelegationStatus.ACCEPTED) {
      agents.run(
          space,
          TransitionDelegation.of(agent.id, work, DelegationStatus.DelegationTransition.BEGIN));
      agents.run(space, TransitionDelegation.complete(agent.id, work, "{}"));
    }
  }

  /** Hands on a task that is assigned, or starts one that is not. */
  private void handOver(SimulatedAgent agent) {
    Window task = any(tasks).orElseThrow();
    List<Agent> there = listed(view -> view.agentsAtTask(task.trajectory()));
    if (there.isEmpty()
        && agents
            .<Optional<Handoff>>view(space, view -> view.openHandoff(task.trajectory()))
            .isEmpty()) {
      agents.run(space, new AssignTask(agent.id, task.trajectory()));
    }
    for (Agent one : there) {
      Recipient to = Recipient.ofType("type-" + randomSource.nextInt(NODES));
      agents.run(
          space, StartHandoff.of(one.id(), to, task.trajectory(), OUTLINE).withSnapshot(task));
      count("handed over");
    }
  }

  private void takeOver(SimulatedAgent agent) {
    Optional<Id> mine = any(agent.takenOver);
    if (mine.isPresent()) {
      complete(agent, mine.get());
    } else {
      any(listed(view -> view.pendingHandoffs(agent.id, 10)))
          .ifPresent(
              found -> {
                agents.run(
                    space,
                    new TransitionHandoff(
                        agent.id, found.id(), HandoffStatus.HandoffTransition.ACCEPT));
                agent.takenOver.add(found.id());
                count("handoff accepted");
              });
    }
  }

  /** Completes a handoff, unless the task was handed on since. */
  private void complete(SimulatedAgent agent, Id handoff) {
    agent.takenOver.remove(handoff);
    HandoffStatus status = agents.<Handoff>view(space, view -> view.handoff(handoff)).status();
    if (status == HandoffStatus.ACCEPTED) {
      agents.run(
          space,
          new TransitionHandoff(agent.id, handoff, HandoffStatus.HandoffTransition.COMPLETE));
    }
    count("handoff " + status);
  }

  /** Restarts all nodes with right clocks and processes the rest. Only jobs process due work. */
  private void drain() {
    clock.skew(Duration.ZERO);
    passed(DRAIN);
    agents.run(space, new RecordHeartbeats(crowd.stream().map(agent -> agent.id).toList()));
    for (SimulatedAgent agent : crowd) {
      for (Message message : agents.run(space, new ReceiveMessages(agent.id, 100))) {
        agents.run(space, new AcknowledgeMessage(agent.id, message.id()));
      }
      invariants.check();
    }
    passed(DRAIN);
    invariants.drained(sent).forEach(state -> count("message " + state));
    invariants.nothingIsLate(clock.instant());
    invariants.nothingIsHeld();
    for (DelegationStatus status : DelegationStatus.values()) {
      listed(view -> view.delegations(status)).forEach(_ -> count("work " + status));
    }
  }

  private void passed(Duration time) {
    clock.truth().advance(time);
    house.jobs().runDue(space);
    invariants.check();
  }
}
