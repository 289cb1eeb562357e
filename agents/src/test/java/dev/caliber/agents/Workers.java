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

  private static final String TASK = "build-it";

  private static final int AGENTS = 50;
  private static final int RESOURCES = 4;
  private static final Duration LEASE = Duration.ofMillis(150);
  private static final Duration DEADLINE = Duration.ofMillis(400);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RecordStore store;
  private final Memory memory;
  private final Agents agents;
  private final Chance chance;
  private final List<Lease> leases = new ArrayList<>();

  Workers(RecordStore store, Clock clock, Chance chance) {
    RuntimeConfig runtime = RuntimeConfig.starter();
    MemoryConfig config = MemoryConfig.starter();
    MemoryParts parts =
        MemoryParts.plain(clock, runtime, TokenCounter.estimate(new TokenEstimate(4)));
    AgentsConfig starter = AgentsConfig.starter();
    this.store = store;
    this.chance = chance;
    this.memory = Memory.of(store, config, parts);
    this.agents =
        Agents.of(
            store,
            starter.withMail(
                new AgentsConfig.Mail(
                    Duration.ofMillis(500), 1000, 1000, 100, starter.mail().payload())),
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
    AgentId agent = crowd().get(chance.nextInt(AGENTS));
    try {
      switch (chance.nextInt(8)) {
        case 0 -> agents.run(SPACE, new Beat(crowd()));
        case 1, 2 -> acquire(agent);
        case 3, 4 -> write();
        case 5 ->
            agents.run(
                SPACE, SendMessage.of(agent, Address.type("worker"), Letter.of("work", "{}")));
        case 6 -> receive(agent);
        default -> delegate(agent);
      }
    } catch (CaliberException refused) {
      if (refused.code().kind() == ErrorKind.INTERNAL) {
        throw refused;
      }
    }
  }

  private void acquire(AgentId agent) {
    Resource resource = new Resource("file", "f" + chance.nextInt(RESOURCES));
    AcquireLease wish = AcquireLease.exclusive(agent, resource).lasting(LEASE);
    Lease lease =
        store.write(
            SPACE,
            transaction -> {
              Lease got = agents.run(transaction, wish).granted().orElseThrow();
              if (got.token() == transaction.revision()) {
                deed(transaction, "granted", resource, got.token());
              }
              return got;
            });
    leases.add(lease);
  }

  /** With one of the last leases, whether it still holds or not. */
  private void write() {
    if (!leases.isEmpty()) {
      Lease lease = leases.get(leases.size() - 1 - chance.nextInt(Math.min(3, leases.size())));
      agents.write(
          SPACE,
          lease.holder(),
          lease.fence(),
          transaction -> deed(transaction, "written", lease.resource(), lease.token()));
    }
  }

  /** Takes messages and does them: what is done is written with the acknowledgement. */
  void receive(AgentId agent) {
    for (Message message : agents.run(SPACE, new ReceiveMessages(agent, 5))) {
      store.write(
          SPACE,
          transaction -> {
            agents.run(transaction, new AcknowledgeMessage(agent, message.id()));
            return deed(transaction, "acknowledged", message.id(), 0);
          });
    }
  }

  private void delegate(AgentId agent) {
    List<Delegation> open =
        agents.<List<Delegation>>view(SPACE, view -> view.pendingDelegations(agent));
    if (open.isEmpty() || chance.nextInt(2) == 0) {
      agents.run(
          SPACE,
          Delegate.of(agent, Address.type("worker"), Task.of("Part of it", task()))
              .within(DEADLINE));
    } else {
      Id work = open.getFirst().id();
      agents.run(SPACE, MoveDelegation.of(agent, work, DelegationStatus.Event.ACCEPT));
      agents.run(SPACE, MoveDelegation.of(agent, work, DelegationStatus.Event.BEGIN));
      agents.run(SPACE, MoveDelegation.complete(agent, work, "{}"));
    }
  }

  private Id task() {
    return memory.view(SPACE, view -> view.session(TASK)).orElseThrow().id();
  }

  private static Deed deed(Transaction transaction, String kind, Object about, long token) {
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
      Workers workers = new Workers(store, clock, Chance.seeded(Long.parseLong(arguments[2])));
      workers.agents().attach(jobs);
      jobs.start();
      while (true) {
        workers.act();
        System.out.println(DONE);
      }
    }
  }
}
