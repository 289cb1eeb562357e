package dev.caliber.bench.memory;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.command.AcknowledgeMessage;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.ReceiveMessages;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.ReleaseLease;
import dev.caliber.agents.command.SendMessage;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.mail.Message;
import dev.caliber.agents.mail.MessageContent;
import dev.caliber.agents.registry.AgentId;
import dev.caliber.agents.registry.AgentProfile;
import dev.caliber.agents.registry.Recipient;
import dev.caliber.bench.harness.BenchEntry;
import dev.caliber.bench.harness.EntryGenerator;
import dev.caliber.bench.harness.IndexedStore;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.bench.harness.Stopwatch;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.RandomSource;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store with registered agents, open for measuring. */
final class BenchAgents implements AutoCloseable {

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final long SEED = 42;
  private static final String MEMBER = "member";
  private static final Resource WANTED = new Resource("file", "wanted");

  /** Agents registered in one commit: each takes several round trips, and a commit has a limit. */
  private static final int TOGETHER = 32;

  /** Agents registered between two progress messages. */
  private static final int TOLD = 1000;

  private final RecordStore store;
  private final Agents agents;
  private final AgentsConfig config = AgentsConfig.starter();
  private final EntryGenerator entryGenerator;
  private final int count;
  private final ProgressPrinter progressPrinter;
  private final AtomicReferenceArray<@Nullable Lease> leases;
  private final AtomicReferenceArray<@Nullable Message> messages;
  private final AtomicReferenceArray<@Nullable Lease> turns;
  private final AtomicReferenceArray<@Nullable Message> shared;
  private final LongAdder wishes = new LongAdder();
  private final LongAdder granted = new LongAdder();

  BenchAgents(StoreConfig.EngineSettings engine, int count, ProgressPrinter progressPrinter) {
    this.count = count;
    this.progressPrinter = progressPrinter;
    this.leases = new AtomicReferenceArray<>(count);
    this.messages = new AtomicReferenceArray<>(count);
    this.turns = new AtomicReferenceArray<>(count);
    this.shared = new AtomicReferenceArray<>(count);
    List<Table<?>> tables =
        Stream.of(
                Agents.tables(),
                Memory.tables(),
                ContextAssembler.tables(),
                List.of(BenchEntry.TABLE))
            .<Table<?>>flatMap(List::stream)
            .toList();
    store = IndexedStore.openPlain(engine, tables);
    entryGenerator =
        new EntryGenerator(1, IdGenerator.of(Stopwatch.clock(), RandomSource.seeded(SEED)));
    agents = openAgents();
    register("worker", BenchAgents::agentId);
  }

  private Agents openAgents() {
    MemoryConfig memoryConfig = MemoryConfig.starter();
    MemoryDependencies parts = IndexedStore.plainDependencies();
    return Agents.of(
        store,
        config,
        new AgentsDependencies(
            Stopwatch.clock(),
            RuntimeConfig.starter(),
            Memory.of(store, memoryConfig, parts),
            memoryConfig,
            ContextAssembler.of(store, memoryConfig, parts, TokenCounters.none())));
  }

  private void register(String type, IntFunction<AgentId> names) {
    int done = 0;
    for (List<AgentId> batch : batches(names, TOGETHER)) {
      store.commit(
          SPACE,
          transaction -> {
            batch.forEach(
                id -> agents.run(transaction, new RegisterAgent(id, AgentProfile.of(type))));
          });
      done += batch.size();
      if (done / TOLD > (done - batch.size()) / TOLD) {
        progressPrinter.printLine("registered %,d of %,d agents".formatted(done, count));
      }
    }
  }

  AgentsConfig config() {
    return config;
  }

  private List<List<AgentId>> batches(IntFunction<AgentId> names, int size) {
    return IntStream.iterate(0, first -> first < count, first -> first + size)
        .mapToObj(
            first -> IntStream.range(first, Math.min(count, first + size)).mapToObj(names).toList())
        .toList();
  }

  private static AgentId agentId(int number) {
    return new AgentId("agent-" + number);
  }

  private static AgentId memberId(int number) {
    return new AgentId(MEMBER + "-" + number);
  }

  /** Registers as many agents again, which share one file and the inbox of their type. */
  BenchAgents withMembers() {
    register(MEMBER, BenchAgents::memberId);
    return this;
  }

  /** Runs one commit: the agent acquires its file, or releases it. */
  void toggleLease(int agent) {
    Lease held = leases.get(agent);
    if (held == null) {
      Resource resource = new Resource("file", "f" + agent);
      leases.set(
          agent,
          agents
              .run(SPACE, AcquireLease.exclusive(agentId(agent), resource))
              .grantedLease()
              .orElseThrow());
    } else {
      agents.run(SPACE, ReleaseLease.of(held));
      leases.set(agent, null);
    }
  }

  /**
   * Runs one commit: the agent requests the shared file, renews its queue entry by requesting
   * again, or releases the file.
   */
  void toggleQueuedLease(int agent) {
    wishes.increment();
    Lease held = turns.get(agent);
    if (held == null) {
      Optional<Lease> lease =
          agents
              .run(SPACE, AcquireLease.exclusive(memberId(agent), WANTED).withQueueing())
              .grantedLease();
      lease.ifPresent(_ -> granted.increment());
      turns.set(agent, lease.orElse(null));
    } else {
      agents.run(SPACE, ReleaseLease.of(held));
      turns.set(agent, null);
    }
  }

  /** Returns the share of these commits that granted the file. */
  double grantedShare() {
    return granted.doubleValue() / wishes.doubleValue();
  }

  /** Runs one commit: the agent takes its message, acknowledges it, or sends the next one. */
  void stepOwnMail(int agent) {
    stepMail(agent, agentId(agent), messages, Recipient.ofAgent(agentId(agent)));
  }

  /** Runs one commit on the shared inbox: the agent sends to the type, or takes a message. */
  void stepTypeMail(int agent) {
    stepMail(agent, memberId(agent), shared, Recipient.ofType(MEMBER));
  }

  private void stepMail(
      int agent, AgentId id, AtomicReferenceArray<@Nullable Message> on, Recipient to) {
    Message message = on.get(agent);
    if (message == null) {
      on.set(agent, agents.run(SPACE, SendMessage.of(id, to, MessageContent.of("work", "{}"))));
    } else if (message.delivery().claimer().isEmpty()) {
      on.set(agent, agents.run(SPACE, new ReceiveMessages(id, 1)).getFirst());
    } else {
      agents.run(SPACE, new AcknowledgeMessage(id, message.id()));
      on.set(agent, null);
    }
  }

  /** Runs a commit of the store itself: one record with three indexes. */
  void commitRawEntry() {
    BenchEntry benchEntry = entryGenerator.newEntry();
    store.commit(
        SPACE,
        transaction -> {
          transaction.insert(BenchEntry.TABLE, benchEntry);
        });
  }

  /** Records a heartbeat of every agent. */
  void recordHeartbeats() {
    batches(BenchAgents::agentId, config.heartbeats().batch())
        .forEach(batch -> agents.run(SPACE, new RecordHeartbeats(batch)));
  }

  void runMaintenance() {
    agents.runMaintenance(SPACE);
  }

  @Override
  public void close() {
    store.close();
  }
}
