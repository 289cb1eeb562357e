package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NoteType;
import dev.caliber.store.Jobs;
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
 * Fifty agents on three nodes that share one database. Nodes have clocks that are wrong and change;
 * agents and nodes crash and forget what they knew, or pause and go on as if nothing had happened;
 * answers get lost after the commit, requests before it. What has to happen by itself is done by
 * the jobs of the nodes and by nobody else, and a node may die at it. All of it comes from the
 * seed: in some seeds all clocks are right, and in some no node dies, so that more can be asked.
 */
final class SimulatedWorld {
  private static final int AGENTS = 50;
  private static final int BUSY = 4;
  private static final int NODES = 3;
  private static final int RESOURCES = 3;
  private static final int TASKS = 2;
  private static final int MOST_SKEW = 20;
  private static final Duration DRAIN = Duration.ofMinutes(3);
  private static final Outline OUTLINE = Outline.of("Half of it is done.", "end of shift");

  private final House house;
  private final Memory memory;
  private final Agents agents;
  private final SkewedClock clock;
  private final SpaceId space;
  private final Chance chance;
  private final Invariants invariants;
  private final boolean skewed;
  private final List<Instant> deaths = new ArrayList<>();
  private final boolean mortal;
  private final Duration[] skews = new Duration[NODES];
  private final List<SimulatedAgent> crowd;
  private final Map<Id, Set<AgentId>> acknowledgers = new HashMap<>();
  private final List<Window> tasks;
  private int sent;

  /** An agent as it sees itself. */
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

  /** The rooms that all seeds share, and what has happened in any of them. */
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
    this.chance = Chance.seeded(seed);
    this.skewed = chance.nextInt(2) == 0;
    this.mortal = chance.nextInt(2) == 0;
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
        .write(
            space,
            transaction -> {
              crowd.forEach(agent -> agents.run(transaction, registration(agent)));
              return true;
            });
    this.tasks = IntStream.range(0, TASKS).mapToObj(_ -> task()).toList();
  }

  private static RegisterAgent registration(SimulatedAgent agent) {
    Profile profile = Profile.of("type-" + agent.node).delegatingTo("type-0", "type-1", "type-2");
    return new RegisterAgent(agent.id, profile);
  }

  /** A task, as the context window that crosses with it. */
  private Window task() {
    Id task = memory.run(space, StartTrajectory.of("Build it", EntityRef.agent("agent-0"))).id();
    return house.contexts().assemble(space, AssembleRequest.of(task).dry()).window();
  }

  private Duration someSkew() {
    return Duration.ofSeconds(skewed ? chance.nextInt(2 * MOST_SKEW + 1) - MOST_SKEW : 0);
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      clock.truth().advance(Duration.ofMillis(chance.nextInt(1200)));
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
    switch (chance.nextInt(28)) {
      case 0 -> agent.crash();
      case 1 -> agent.asleep = chance.nextInt(4);
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

  /** Some are busier than others, so that they get into each other's way. */
  private SimulatedAgent somebody() {
    return crowd.get(chance.nextInt(chance.nextInt(2) == 0 ? BUSY : AGENTS));
  }

  /** A whole node crashes, or its clock jumps. */
  private void trouble() {
    int node = chance.nextInt(NODES);
    if (chance.nextInt(2) == 0) {
      crowd.stream().filter(agent -> agent.node == node).forEach(SimulatedAgent::crash);
    } else {
      skews[node] = someSkew();
    }
  }

  private boolean lost() {
    return chance.nextInt(8) == 0;
  }

  private <T> Optional<T> any(List<T> all) {
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(chance.nextInt(all.size())));
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
    agents.run(space, new Beat(alive));
  }

  /** The node's jobs do what is due by its clock; it may die at it, at any commit. */
  private void look() {
    boolean dies = mortal && chance.nextInt(8) == 0;
    if (dies) {
      house.store().life().endAfter(chance.nextInt(8));
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
   * Whoever looks finds what is due, with clocks that are wrong so much later; unless a node has
   * just died at it, whose claim nobody can take before its time.
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
    Duration claim = SimulationTest.JOBS.lease().plus(wrong);
    return deaths.stream().anyMatch(death -> !death.plus(claim).isBefore(now));
  }

  private Resource resource() {
    return new Resource("file", "f" + chance.nextInt(RESOURCES));
  }

  private void acquire(SimulatedAgent agent) {
    AcquireLease wish =
        new AcquireLease(
            agent.id,
            resource(),
            chance.nextInt(3) == 0 ? LeaseMode.SHARED : LeaseMode.EXCLUSIVE,
            Optional.of(Duration.ofSeconds(1 + chance.nextInt(40))),
            chance.nextInt(3) > 0);
    List<Lease> held = listed(view -> view.leases(wish.resource()));
    List<LeaseWait> queue = listed(view -> view.queue(wish.resource()));
    Acquisition got = agents.run(space, wish);
    got.granted().ifPresent(_ -> Invariants.inTurn(wish, held, queue, clock.instant()));
    if (!lost()) {
      got.granted().ifPresent(agent.leases::add);
    }
  }

  private void leaveQueue(SimulatedAgent agent) {
    if (agents.run(space, new LeaveQueue(agent.id, resource()))) {
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

  /** As if it still held what it believes to hold. */
  private void write(SimulatedAgent agent) {
    any(agent.leases)
        .ifPresent(
            lease -> {
              agents.write(
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
    Address to =
        chance.nextInt(2) == 0
            ? Address.type("type-" + chance.nextInt(NODES))
            : Address.agent(crowd.get(chance.nextInt(AGENTS)).id);
    SendMessage message =
        SendMessage.of(agent.id, to, Letter.of("work", "{}"))
            .ranked(any(List.of(Priority.values())).orElseThrow())
            .once("m" + sent);
    SendMessage wish =
        chance.nextInt(2) == 0
            ? message
            : message.lasting(Duration.ofSeconds(1 + chance.nextInt(60)));
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
        Delegate.of(
                agent.id,
                Address.type("type-" + chance.nextInt(NODES)),
                Task.of("Part of it", any(tasks).orElseThrow().trajectory()))
            .within(Duration.ofSeconds(5 + chance.nextInt(60))));
  }

  private void work(SimulatedAgent agent) {
    Optional<Id> mine = any(agent.work);
    if (mine.isEmpty()) {
      any(listed(view -> view.pendingDelegations(agent.id, 10)))
          .ifPresent(
              found -> {
                agents.run(
                    space, MoveDelegation.of(agent.id, found.id(), DelegationStatus.Event.ACCEPT));
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
      agents.run(space, MoveDelegation.of(agent.id, work, DelegationStatus.Event.BEGIN));
      agents.run(space, MoveDelegation.complete(agent.id, work, "{}"));
    }
  }

  /** Hands on the task that somebody is at, or begins one that nobody is at. */
  private void handOver(SimulatedAgent agent) {
    Window task = any(tasks).orElseThrow();
    List<Agent> there = listed(view -> view.at(task.trajectory()));
    if (there.isEmpty()
        && agents
            .<Optional<Handoff>>view(space, view -> view.openHandoff(task.trajectory()))
            .isEmpty()) {
      agents.run(space, new WorkOn(agent.id, task.trajectory()));
    }
    for (Agent one : there) {
      Address to = Address.type("type-" + chance.nextInt(NODES));
      agents.run(space, HandOver.of(one.id(), to, task.trajectory(), OUTLINE).with(task));
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
                    space, new MoveHandoff(agent.id, found.id(), HandoffStatus.Event.ACCEPT));
                agent.takenOver.add(found.id());
                count("handoff accepted");
              });
    }
  }

  /** Unless the task was handed on since. */
  private void complete(SimulatedAgent agent, Id handoff) {
    agent.takenOver.remove(handoff);
    HandoffStatus status = agents.<Handoff>view(space, view -> view.handoff(handoff)).status();
    if (status == HandoffStatus.ACCEPTED) {
      agents.run(space, new MoveHandoff(agent.id, handoff, HandoffStatus.Event.COMPLETE));
    }
    count("handoff " + status);
  }

  /**
   * All nodes come back with clocks that are right, and take what is left. Nobody but the jobs sees
   * to what is late.
   */
  private void drain() {
    clock.skew(Duration.ZERO);
    passed(DRAIN);
    agents.run(space, new Beat(crowd.stream().map(agent -> agent.id).toList()));
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
