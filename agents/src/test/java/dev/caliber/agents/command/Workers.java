package dev.caliber.agents.command;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.delegation.DelegatedTask;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.DelegationStatus;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.agents.delegation.HandoffOutline;
import dev.caliber.agents.delegation.HandoffStatus;
import dev.caliber.agents.lease.Deed;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.LeaseMode;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.mail.MessageState;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.AgentsFixture;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorKind;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.SystemAccess;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Transaction;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.job.Jobs;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Server process of the two-process test: its agents work until it is killed, and it reports every
 * action on its standard output.
 */
public final class Workers {
  public static final SpaceId SPACE = SpaceId.DEFAULT;
  static final String DONE = "done";

  /** Report of an action while it has unacknowledged messages. */
  public static final String HOLDING = "holding";

  /** Message that is never acknowledged and ends as a dead letter. */
  public static final String POISON = "poison";

  /** Maximum number of deliveries of a message. */
  static final int DELIVERIES = 6;

  private static final String TASK = "build-it";
  private static final HandoffOutline OUTLINE =
      HandoffOutline.of("Half of it is done.", "end of shift");

  private static final int AGENTS = 50;

  /** Each process has its own agents, so that the claims left by each are known. */
  private static final int PROCESSES = 5;

  private static final int RESOURCES = 4;
  private static final Duration LEASE = Duration.ofMillis(150);
  private static final Duration DEADLINE = Duration.ofMillis(400);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RecordStore store;
  private final Memory memory;
  private final Agents agents;
  private final RandomSource randomSource;
  private final List<Lease> leases = new ArrayList<>();
  private final List<Message> taken = new ArrayList<>();
  private final List<Handoff> takenOver = new ArrayList<>();
  private final List<AgentId> own;

  public Workers(RecordStore store, Clock clock, RandomSource randomSource, int process) {
    RuntimeConfig runtime = RuntimeConfig.starter();
    MemoryConfig config = MemoryConfig.starter();
    MemoryDependencies parts =
        MemoryDependencies.minimal(clock, runtime, TokenCounter.estimate(new TokenEstimator(4)));
    this.store = store;
    this.randomSource = randomSource;
    this.own = agentsOf(process);
    this.memory = Memory.of(store, config, parts);
    this.agents =
        Agents.of(
            store,
            AgentsConfig.starter()
                .with(
                    "agents.messages.acknowledgement-timeout = '500ms'",
                    "agents.messages.max-deliveries = " + DELIVERIES),
            new AgentsDependencies(
                clock,
                runtime,
                memory,
                config,
                ContextAssembler.of(store, config, parts, TokenCounters.none())));
  }

  public static RecordStore open(String url, String schema, Clock clock) {
    return Stores.open(
        StoreConfig.starter()
            .withEngine(
                new StoreConfig.PostgresSettings(
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
        IdGenerator.of(clock, RandomSource.system()));
  }

  public Agents agents() {
    return agents;
  }

  public static List<AgentId> crowd() {
    return IntStream.range(0, AGENTS).mapToObj(i -> new AgentId("agent-" + i)).toList();
  }

  public static List<AgentId> agentsOf(int process) {
    return IntStream.range(0, AGENTS)
        .filter(i -> i % PROCESSES == process)
        .mapToObj(i -> crowd().get(i))
        .toList();
  }

  /** Registers all agents and creates a task. */
  public void begin() {
    store.write(
        SPACE,
        transaction -> {
          crowd()
              .forEach(
                  agent ->
                      agents.run(
                          transaction,
                          new RegisterAgent(
                              agent, AgentProfile.of("worker").withDelegateTypes("worker"))));
          return memory.run(
              transaction,
              StartTrajectory.of(TASK, EntityRef.agent("agent-0"))
                  .withLabels(Labels.ofExternalId(TASK)));
        });
  }

  void act() {
    AgentId agent = own.get(randomSource.nextInt(own.size()));
    try {
      switch (randomSource.nextInt(20)) {
        case 0, 1 -> agents.run(SPACE, new RecordHeartbeats(crowd()));
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
    return new Resource("file", "f" + randomSource.nextInt(RESOURCES));
  }

  private void acquire(AgentId agent) {
    Resource resource = resource();
    LeaseMode mode = randomSource.nextInt(3) == 0 ? LeaseMode.SHARED : LeaseMode.EXCLUSIVE;
    AcquireLease wish =
        new AcquireLease(agent, resource, mode, Optional.of(LEASE), randomSource.nextInt(2) == 0);
    Optional<Lease> lease =
        store.write(
            SPACE,
            transaction -> {
              Optional<Lease> got = agents.run(transaction, wish).grantedLease();
              got.filter(fresh -> fresh.token() == transaction.revision())
                  .ifPresent(
                      fresh -> deed(transaction, Deed.Kind.granted(mode), resource, fresh.token()));
              return got;
            });
    lease.ifPresentOrElse(this::use, () -> leave(wish));
  }

  /** Writes with one of the last leases, expired or not. */
  private void write() {
    if (!leases.isEmpty()) {
      Lease lease =
          leases.get(leases.size() - 1 - randomSource.nextInt(Math.min(3, leases.size())));
      agents.writeFenced(
          SPACE,
          lease.holder(),
          lease.fence(),
          transaction ->
              deed(transaction, Deed.Kind.written(lease.mode()), lease.resource(), lease.token()));
    }
  }

  /** Renews some leases, and releases others but writes with them nevertheless. */
  private void use(Lease lease) {
    leases.add(lease);
    switch (randomSource.nextInt(4)) {
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
    if (randomSource.nextInt(3) == 0) {
      agents.run(SPACE, new LeaveLeaseQueue(wish.agent(), wish.resource()));
    }
  }

  /** Sends to an agent or a type; some messages expire soon, some are never acknowledged. */
  private void send(AgentId agent) {
    Recipient to =
        randomSource.nextInt(3) == 0
            ? Recipient.ofAgent(crowd().get(randomSource.nextInt(AGENTS)))
            : Recipient.ofType("worker");
    SendMessage message =
        SendMessage.of(
            agent, to, MessageContent.of(randomSource.nextInt(4) == 0 ? POISON : "work", "{}"));
    SendMessage wish = randomSource.nextInt(4) == 0 ? message.withLifetime(SHORT) : message;
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
   * Acknowledges a message and writes the action with the first acknowledgement: an agent that
   * claimed a message again after its return has it twice, and acknowledging it twice is no error.
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

  /** Lets all agents claim and process the remaining messages; poison messages are returned. */
  public void finish() {
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
    if (open.isEmpty() || randomSource.nextInt(2) == 0) {
      agents.run(
          SPACE,
          CreateDelegation.of(
                  agent, Recipient.ofType("worker"), DelegatedTask.of("Part of it", task()))
              .withDeadline(DEADLINE));
    } else {
      Id work = open.getFirst().id();
      accept(
          TransitionDelegation.of(agent, work, DelegationStatus.DelegationTransition.ACCEPT), work);
      agents.run(
          SPACE, TransitionDelegation.of(agent, work, DelegationStatus.DelegationTransition.BEGIN));
      agents.run(SPACE, TransitionDelegation.complete(agent, work, "{}"));
    }
  }

  /** Accepts work and writes the action in the same commit. */
  private <R> R accept(AgentCommand<R> command, Id work) {
    return store.write(
        SPACE,
        transaction -> {
          R accepted = agents.run(transaction, command);
          deed(transaction, Deed.Kind.ACCEPTED, work, 0);
          return accepted;
        });
  }

  /** Starts a task and hands it to any agent, or hands on an own one. */
  private void handOver(AgentId agent) {
    if (takenOver.isEmpty() || randomSource.nextInt(2) == 0) {
      Id shift = memory.run(SPACE, StartTrajectory.of("A shift", entity(agent))).id();
      agents.run(SPACE, new AssignTask(agent, shift));
      agents.run(SPACE, StartHandoff.of(agent, Recipient.ofType("worker"), shift, OUTLINE));
    } else {
      Handoff mine = takenOver.removeLast();
      AgentId holder = mine.receiver().orElseThrow();
      agents.run(
          SPACE, StartHandoff.of(holder, Recipient.ofType("worker"), mine.trajectory(), OUTLINE));
    }
  }

  private static EntityRef entity(AgentId agent) {
    return EntityRef.agent(agent.value());
  }

  private void takeOver(AgentId agent) {
    List<Handoff> open = agents.<List<Handoff>>view(SPACE, view -> view.pendingHandoffs(agent, 10));
    if (!open.isEmpty()) {
      Id task = open.getFirst().id();
      takenOver.add(
          accept(new TransitionHandoff(agent, task, HandoffStatus.HandoffTransition.ACCEPT), task));
    } else if (!takenOver.isEmpty()) {
      Handoff mine = takenOver.removeFirst();
      agents.run(
          SPACE,
          new TransitionHandoff(
              mine.receiver().orElseThrow(), mine.id(), HandoffStatus.HandoffTransition.COMPLETE));
    }
  }

  private Id task() {
    return memory.view(SPACE, view -> view.newestTrajectoryByExternalId(TASK)).orElseThrow().id();
  }

  private static Deed deed(Transaction transaction, Deed.Kind kind, Object about, long token) {
    Deed deed =
        new Deed(transaction.newId(), transaction.revision(), kind, about.toString(), token);
    transaction.insert(Deed.TABLE, deed);
    return deed;
  }

  @SystemAccess("a process of a test begins here: its clock and its output are the system's")
  public static void main(String[] arguments) {
    Clock clock = Clock.systemUTC();
    try (RecordStore store = open(arguments[0], arguments[1], clock);
        Jobs jobs = Jobs.of(store, StoreConfig.starter().jobs(), clock)) {
      RandomSource randomSource = RandomSource.seeded(Long.parseLong(arguments[2]));
      Workers workers = new Workers(store, clock, randomSource, Integer.parseInt(arguments[3]));
      workers.agents().registerJobHandlers(jobs);
      jobs.start();
      while (true) {
        workers.act();
        System.out.println(workers.taken.isEmpty() ? DONE : HOLDING);
      }
    }
  }
}
