package dev.caliber.agents;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.Seam;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A server process of the two-process test: its agents work until it is killed, and it says so on
 * its standard output after every act.
 */
final class Workers {
  static final SpaceId SPACE = SpaceId.DEFAULT;
  static final String DONE = "done";

  /** The same, and it has messages that it has not acknowledged yet. */
  static final String HOLDING = "holding";

  /** What is never done, and given back until it is a dead letter. */
  static final String POISON = "poison";

  /** How often a message is delivered. */
  static final int DELIVERIES = 6;

  private static final String TASK = "build-it";
  private static final Outline OUTLINE = Outline.of("Half of it is done.", "end of shift");

  private static final int AGENTS = 50;

  /** Each process has agents of its own, so that one can tell whose claims are left. */
  private static final int PROCESSES = 5;

  private static final int RESOURCES = 4;
  private static final Duration LEASE = Duration.ofMillis(150);
  private static final Duration DEADLINE = Duration.ofMillis(400);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RecordStore store;
  private final Memory memory;
  private final Agents agents;
  private final Chance chance;
  private final List<Lease> leases = new ArrayList<>();
  private final List<Message> taken = new ArrayList<>();
  private final List<Handoff> takenOver = new ArrayList<>();
  private final List<AgentId> own;

  Workers(RecordStore store, Clock clock, Chance chance, int process) {
    RuntimeConfig runtime = RuntimeConfig.starter();
    MemoryConfig config = MemoryConfig.starter();
    MemoryParts parts =
        MemoryParts.plain(clock, runtime, TokenCounter.estimate(new TokenEstimate(4)));
    AgentsConfig starter = AgentsConfig.starter();
    this.store = store;
    this.chance = chance;
    this.own = agentsOf(process);
    this.memory = Memory.of(store, config, parts);
    this.agents =
        Agents.of(
            store,
            starter.withMail(
                new AgentsConfig.Mail(
                    Duration.ofMillis(500),
                    DELIVERIES,
                    1000,
                    100,
                    starter.mail().payload(),
                    starter.mail().deadLetters())),
            new AgentsParts(
                clock,
                runtime,
                memory,
                config,
                ContextAssembler.of(store, config, parts, TokenCounters.none())));
  }

  static RecordStore open(String url, String schema, Clock clock) {
    return RecordStore.open(
        StoreConfig.starter()
            .withEngine(
                new StoreConfig.Postgres(
                    url,
                    Optional.empty(),
                    Optional.empty(),
                    schema,
                    4,
                    PATIENCE,
                    PATIENCE,
                    Duration.ofMillis(10))),
        Stream.concat(AgentsFixture.tables(), Stream.of(Deed.TABLE)).toList(),
        clock,
        Ids.of(clock, Chance.system()));
  }

  Agents agents() {
    return agents;
  }

  static List<AgentId> crowd() {
    return IntStream.range(0, AGENTS).mapToObj(i -> new AgentId("agent-" + i)).toList();
  }

  static List<AgentId> agentsOf(int process) {
    return IntStream.range(0, AGENTS)
        .filter(i -> i % PROCESSES == process)
        .mapToObj(i -> crowd().get(i))
        .toList();
  }

  /** Everybody is registered, and there is a task. */
  void begin() {
    store.write(
        SPACE,
        transaction -> {
          crowd()
              .forEach(
                  agent ->
                      agents.run(
                          transaction,
                          new RegisterAgent(agent, Profile.of("worker").delegatingTo("worker"))));
          return memory.run(
              transaction,
              StartTrajectory.of(TASK, EntityRef.agent("agent-0"))
                  .labelled(Labels.ofExternalId(TASK)));
        });
  }

  void act() {
    AgentId agent = own.get(chance.nextInt(own.size()));
    try {
      switch (chance.nextInt(20)) {
        case 0, 1 -> agents.run(SPACE, new Beat(crowd()));
        case 2, 3, 4, 5 -> acquire(agent);
        case 6, 7, 8 -> write();
        case 9, 10, 11 -> send(agent);
        case 12, 13 -> receive(agent);
        case 14 -> acknowledge();
        case 15 -> giveBack();
        case 16 -> handOver(agent);
        case 17 -> takeOver(agent);
        default -> delegate(agent);
      }
    } catch (CaliberException refused) {
      if (refused.code().kind() == ErrorKind.INTERNAL) {
        throw refused;
      }
    }
  }

  private Resource resource() {
    return new Resource("file", "f" + chance.nextInt(RESOURCES));
  }

  private void acquire(AgentId agent) {
    Resource resource = resource();
    LeaseMode mode = chance.nextInt(3) == 0 ? LeaseMode.SHARED : LeaseMode.EXCLUSIVE;
    AcquireLease wish =
        new AcquireLease(agent, resource, mode, Optional.of(LEASE), chance.nextInt(2) == 0);
    Optional<Lease> lease =
        store.write(
            SPACE,
            transaction -> {
              Optional<Lease> got = agents.run(transaction, wish).granted();
              got.filter(fresh -> fresh.token() == transaction.revision())
                  .ifPresent(
                      fresh -> deed(transaction, Deed.Kind.granted(mode), resource, fresh.token()));
              return got;
            });
    lease.ifPresentOrElse(this::use, () -> leave(wish));
  }

  /** With one of the last leases, whether it still holds or not. */
  private void write() {
    if (!leases.isEmpty()) {
      Lease lease = leases.get(leases.size() - 1 - chance.nextInt(Math.min(3, leases.size())));
      agents.write(
          SPACE,
          lease.holder(),
          lease.fence(),
          transaction ->
              deed(transaction, Deed.Kind.written(lease.mode()), lease.resource(), lease.token()));
    }
  }

  /** Some prolong what they got, and some give it back and write with it all the same. */
  private void use(Lease lease) {
    leases.add(lease);
    switch (chance.nextInt(4)) {
      case 0 -> {
        Lease longer =
            agents.run(SPACE, new RenewLease(lease.holder(), lease.id(), Optional.of(LEASE)));
        if (longer.token() != lease.token() || longer.expiresAt().isBefore(lease.expiresAt())) {
          throw new AssertionError("%s was prolonged to %s".formatted(lease, longer));
        }
      }
      case 1 -> agents.run(SPACE, ReleaseLease.of(lease));
      default -> {}
    }
  }

  private void leave(AcquireLease wish) {
    if (chance.nextInt(3) == 0) {
      agents.run(SPACE, new LeaveQueue(wish.agent(), wish.resource()));
    }
  }

  /** To somebody or to whoever comes; some expire soon, some nobody can do. */
  private void send(AgentId agent) {
    Address to =
        chance.nextInt(3) == 0
            ? Address.agent(crowd().get(chance.nextInt(AGENTS)))
            : Address.type("worker");
    SendMessage message =
        SendMessage.of(agent, to, Letter.of(chance.nextInt(4) == 0 ? POISON : "work", "{}"));
    SendMessage wish = chance.nextInt(4) == 0 ? message.lasting(SHORT) : message;
    store.write(
        SPACE,
        transaction -> deed(transaction, Deed.Kind.SENT, agents.run(transaction, wish).id(), 0));
  }

  private void receive(AgentId agent) {
    for (Message message : agents.run(SPACE, new ReceiveMessages(agent, 3))) {
      if (isPoison(message)) {
        agents.run(SPACE, new ReturnMessage(agent, message.id()));
      } else {
        taken.add(message);
      }
    }
  }

  private static boolean isPoison(Message message) {
    return message.letter().type().equals(POISON);
  }

  private void giveBack() {
    if (!taken.isEmpty()) {
      Message message = taken.removeFirst();
      agents.run(
          SPACE, new ReturnMessage(message.delivery().claimer().orElseThrow(), message.id()));
    }
  }

  private void acknowledge() {
    if (!taken.isEmpty()) {
      acknowledge(taken.removeFirst());
    }
  }

  /**
   * What is done is written with the first acknowledgement: an agent that took a message again
   * after it had gone back has it twice, and to acknowledge it twice is no error.
   */
  private void acknowledge(Message message) {
    AgentId agent = message.delivery().claimer().orElseThrow();
    store.write(
        SPACE,
        transaction -> {
          MessageState before = transaction.get(Message.TABLE, message.id()).state();
          agents.run(transaction, new AcknowledgeMessage(agent, message.id()));
          return before == MessageState.ACKNOWLEDGED
              ? message
              : deed(transaction, Deed.Kind.ACKNOWLEDGED, message.id(), 0);
        });
  }

  /** Everybody takes what is left and does it; what nobody can do is given back. */
  void finish() {
    for (AgentId agent : crowd()) {
      List<Message> left = agents.run(SPACE, new ReceiveMessages(agent, 100));
      while (!left.isEmpty()) {
        left.forEach(message -> finish(agent, message));
        left = agents.run(SPACE, new ReceiveMessages(agent, 100));
      }
    }
  }

  private void finish(AgentId agent, Message message) {
    if (isPoison(message)) {
      agents.run(SPACE, new ReturnMessage(agent, message.id()));
    } else {
      acknowledge(message);
    }
  }

  private void delegate(AgentId agent) {
    List<Delegation> open =
        agents.<List<Delegation>>view(SPACE, view -> view.pendingDelegations(agent, 10));
    if (open.isEmpty() || chance.nextInt(2) == 0) {
      agents.run(
          SPACE,
          Delegate.of(agent, Address.type("worker"), Task.of("Part of it", task()))
              .within(DEADLINE));
    } else {
      Id work = open.getFirst().id();
      accept(MoveDelegation.of(agent, work, DelegationStatus.Event.ACCEPT), work);
      agents.run(SPACE, MoveDelegation.of(agent, work, DelegationStatus.Event.BEGIN));
      agents.run(SPACE, MoveDelegation.complete(agent, work, "{}"));
    }
  }

  /** That it was accepted is written with it. */
  private <R> R accept(AgentCommand<R> command, Id work) {
    return store.write(
        SPACE,
        transaction -> {
          R accepted = agents.run(transaction, command);
          deed(transaction, Deed.Kind.ACCEPTED, work, 0);
          return accepted;
        });
  }

  /** Begins a task and hands it to whoever comes first, or hands on what it has. */
  private void handOver(AgentId agent) {
    if (takenOver.isEmpty() || chance.nextInt(2) == 0) {
      Id shift = memory.run(SPACE, StartTrajectory.of("A shift", entity(agent))).id();
      agents.run(SPACE, new WorkOn(agent, shift));
      agents.run(SPACE, HandOver.of(agent, Address.type("worker"), shift, OUTLINE));
    } else {
      Handoff mine = takenOver.removeLast();
      AgentId holder = mine.receiver().orElseThrow();
      agents.run(SPACE, HandOver.of(holder, Address.type("worker"), mine.trajectory(), OUTLINE));
    }
  }

  private static EntityRef entity(AgentId agent) {
    return EntityRef.agent(agent.value());
  }

  private void takeOver(AgentId agent) {
    List<Handoff> open = agents.<List<Handoff>>view(SPACE, view -> view.pendingHandoffs(agent, 10));
    if (!open.isEmpty()) {
      Id task = open.getFirst().id();
      takenOver.add(accept(new MoveHandoff(agent, task, HandoffStatus.Event.ACCEPT), task));
    } else if (!takenOver.isEmpty()) {
      Handoff mine = takenOver.removeFirst();
      agents.run(
          SPACE,
          new MoveHandoff(mine.receiver().orElseThrow(), mine.id(), HandoffStatus.Event.COMPLETE));
    }
  }

  private Id task() {
    return memory.view(SPACE, view -> view.session(TASK)).orElseThrow().id();
  }

  private static Deed deed(Transaction transaction, Deed.Kind kind, Object about, long token) {
    Deed deed =
        new Deed(transaction.newId(), transaction.revision(), kind, about.toString(), token);
    transaction.insert(Deed.TABLE, deed);
    return deed;
  }

  @Seam("a process of a test begins here: its clock and its output are the system's")
  public static void main(String[] arguments) {
    Clock clock = Clock.systemUTC();
    try (RecordStore store = open(arguments[0], arguments[1], clock);
        Jobs jobs = Jobs.of(store, StoreConfig.starter().jobs(), clock)) {
      Chance chance = Chance.seeded(Long.parseLong(arguments[2]));
      Workers workers = new Workers(store, clock, chance, Integer.parseInt(arguments[3]));
      workers.agents().attach(jobs);
      jobs.start();
      while (true) {
        workers.act();
        System.out.println(workers.taken.isEmpty() ? DONE : HOLDING);
      }
    }
  }
}
