package dev.caliber.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.NoteType;
import dev.caliber.store.RecordStore;
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

/**
 * Fifty agents on three nodes that share one database. Nodes have clocks that are wrong and change;
 * agents and nodes crash and forget what they knew, or pause and go on as if nothing had happened;
 * answers get lost after the commit, requests before it. All of it comes from the seed.
 */
final class SimulatedWorld {
  private static final int AGENTS = 50;
  private static final int BUSY = 4;
  private static final int NODES = 3;
  private static final int RESOURCES = 3;
  private static final int MOST_SKEW = 20;
  private static final Duration DRAIN = Duration.ofMinutes(3);

  private final Memory memory;
  private final Agents agents;
  private final SkewedClock clock;
  private final SpaceId space;
  private final Chance chance;
  private final Invariants invariants;
  private final Map<String, Integer> seen;
  private final Duration[] skews = new Duration[NODES];
  private final List<SimulatedAgent> crowd;
  private final Map<Id, Set<AgentId>> acknowledgers = new HashMap<>();
  private final Id task;
  private int sent;

  /** An agent as it sees itself. */
  private static final class SimulatedAgent {
    final AgentId id;
    final int node;
    final List<Lease> leases = new ArrayList<>();
    final List<Id> messages = new ArrayList<>();
    final List<Id> work = new ArrayList<>();
    int asleep;

    SimulatedAgent(AgentId id, int node) {
      this.id = id;
      this.node = node;
    }

    void crash() {
      leases.clear();
      messages.clear();
      work.clear();
    }
  }

  /** The rooms that all seeds share, and what has happened in any of them. */
  record House(
      RecordStore store,
      Memory memory,
      Agents agents,
      SkewedClock clock,
      Map<String, Integer> seen) {}

  SimulatedWorld(House house, SpaceId space, long seed) {
    this.memory = house.memory();
    this.agents = house.agents();
    this.clock = house.clock();
    this.seen = house.seen();
    this.space = space;
    this.chance = Chance.seeded(seed);
    RecordStore store = house.store();
    store.createSpace(space);
    this.invariants = new Invariants(store, space);
    for (int i = 0; i < NODES; i++) {
      skews[i] = someSkew();
    }
    this.crowd =
        IntStream.range(0, AGENTS)
            .mapToObj(i -> new SimulatedAgent(new AgentId("agent-" + i), i % NODES))
            .toList();
    this.task =
        store.write(
            space,
            transaction -> {
              crowd.forEach(agent -> agents.run(transaction, registration(agent)));
              return memory
                  .run(transaction, StartTrajectory.of("Build it", EntityRef.agent("agent-0")))
                  .id();
            });
  }

  private static RegisterAgent registration(SimulatedAgent agent) {
    Profile profile = Profile.of("type-" + agent.node).delegatingTo("type-0", "type-1", "type-2");
    return new RegisterAgent(agent.id, profile);
  }

  private Duration someSkew() {
    return Duration.ofSeconds(chance.nextInt(2 * MOST_SKEW + 1) - MOST_SKEW);
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      clock.truth().advance(Duration.ofMillis(chance.nextInt(1200)));
      step(somebody());
      invariants.check();
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
    switch (chance.nextInt(24)) {
      case 0 -> agent.crash();
      case 1 -> agent.asleep = chance.nextInt(4);
      case 2 -> trouble();
      case 3, 4 -> tend();
      case 5, 6, 7, 8 -> beat(agent);
      case 9, 10, 11, 12 -> acquire(agent);
      case 13 -> release(agent);
      case 14 -> renew(agent);
      case 15, 16 -> write(agent);
      case 17, 18 -> send(agent);
      case 19 -> receive(agent);
      case 20 -> acknowledge(agent);
      case 21 -> delegate(agent);
      default -> work(agent);
    }
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
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

  private void beat(SimulatedAgent agent) {
    List<AgentId> alive =
        crowd.stream()
            .filter(other -> other.node == agent.node && other.asleep == 0)
            .map(other -> other.id)
            .toList();
    agents.run(space, new Beat(alive));
  }

  private void tend() {
    Instant now = clock.instant();
    agents.tend(space);
    agents.view(
        space,
        view -> {
          Invariants.tended(view, now);
          return true;
        });
  }

  private Resource resource() {
    return new Resource("file", "f" + chance.nextInt(RESOURCES));
  }

  private void acquire(SimulatedAgent agent) {
    LeaseMode mode = chance.nextInt(3) == 0 ? LeaseMode.SHARED : LeaseMode.EXCLUSIVE;
    Acquisition got =
        agents.run(
            space,
            new AcquireLease(
                agent.id,
                resource(),
                mode,
                Optional.of(Duration.ofSeconds(1 + chance.nextInt(40))),
                chance.nextInt(3) > 0));
    if (!lost()) {
      got.granted().ifPresent(agent.leases::add);
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

  private void delegate(SimulatedAgent agent) {
    agents.run(
        space,
        Delegate.of(
                agent.id,
                Address.type("type-" + chance.nextInt(NODES)),
                Task.of("Part of it", task))
            .within(Duration.ofSeconds(5 + chance.nextInt(60))));
  }

  private void work(SimulatedAgent agent) {
    Optional<Id> mine = any(agent.work);
    if (mine.isEmpty()) {
      List<Delegation> open =
          agents.<List<Delegation>>view(space, view -> view.pendingDelegations(agent.id));
      any(open)
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

  /** All nodes come back with clocks that are right, and take what is left. */
  private void drain() {
    clock.skew(Duration.ZERO);
    clock.truth().advance(DRAIN);
    agents.tend(space);
    agents.run(space, new Beat(crowd.stream().map(agent -> agent.id).toList()));
    for (SimulatedAgent agent : crowd) {
      for (Message message : agents.run(space, new ReceiveMessages(agent.id, 100))) {
        agents.run(space, new AcknowledgeMessage(agent.id, message.id()));
      }
      invariants.check();
    }
    invariants.drained(sent).forEach(state -> count("message " + state));
    tend();
    for (DelegationStatus status : DelegationStatus.values()) {
      agents
          .<List<Delegation>>view(space, view -> view.delegations(status))
          .forEach(_ -> count("work " + status));
    }
    assertThat(agents.view(space, view -> view.standing(clock.instant())).waiters()).isEmpty();
  }
}
