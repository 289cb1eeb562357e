package dev.caliber.bench;

import dev.caliber.agents.AcknowledgeMessage;
import dev.caliber.agents.AcquireLease;
import dev.caliber.agents.Address;
import dev.caliber.agents.AgentId;
import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsParts;
import dev.caliber.agents.Beat;
import dev.caliber.agents.Lease;
import dev.caliber.agents.Letter;
import dev.caliber.agents.Message;
import dev.caliber.agents.Profile;
import dev.caliber.agents.ReceiveMessages;
import dev.caliber.agents.RegisterAgent;
import dev.caliber.agents.ReleaseLease;
import dev.caliber.agents.Resource;
import dev.caliber.agents.SendMessage;
import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
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

/** So many registered agents, open for measuring, and the store under them. */
final class AgentsRig implements AutoCloseable {

  private static final SpaceId SPACE = SpaceId.DEFAULT;
  private static final long SEED = 42;
  private static final String MEMBER = "member";
  private static final Resource WANTED = new Resource("file", "wanted");

  /** How many register in one commit: each takes several round trips, and a commit has a limit. */
  private static final int TOGETHER = 32;

  /** How many register until somebody is told. */
  private static final int TOLD = 1000;

  private final RecordStore store;
  private final Agents agents;
  private final AgentsConfig config = AgentsConfig.starter();
  private final Entries entries;
  private final int count;
  private final Progress progress;
  private final AtomicReferenceArray<@Nullable Lease> leases;
  private final AtomicReferenceArray<@Nullable Message> messages;
  private final AtomicReferenceArray<@Nullable Lease> turns;
  private final AtomicReferenceArray<@Nullable Message> shared;
  private final LongAdder wishes = new LongAdder();
  private final LongAdder granted = new LongAdder();

  AgentsRig(StoreConfig.EngineConfig engine, int count, Progress progress) {
    this.count = count;
    this.progress = progress;
    this.leases = new AtomicReferenceArray<>(count);
    this.messages = new AtomicReferenceArray<>(count);
    this.turns = new AtomicReferenceArray<>(count);
    this.shared = new AtomicReferenceArray<>(count);
    List<Table<?>> tables =
        Stream.of(Agents.tables(), Memory.tables(), ContextAssembler.tables(), List.of(Entry.TABLE))
            .<Table<?>>flatMap(List::stream)
            .toList();
    store =
        RecordStore.open(
            StoreConfig.starter().withEngine(engine),
            tables,
            Stopwatch.clock(),
            Ids.of(Stopwatch.clock(), Chance.system()));
    entries = new Entries(1, Ids.of(Stopwatch.clock(), Chance.seeded(SEED)));
    agents = agents();
    register("worker", AgentsRig::id);
  }

  private Agents agents() {
    RuntimeConfig runtime = RuntimeConfig.starter();
    MemoryConfig memoryConfig = MemoryConfig.starter();
    MemoryParts parts =
        MemoryParts.plain(
            Stopwatch.clock(),
            runtime,
            TokenCounter.estimate(new TokenEstimate(runtime.context().bytesPerToken())));
    return Agents.of(
        store,
        config,
        new AgentsParts(
            Stopwatch.clock(),
            runtime,
            Memory.of(store, memoryConfig, parts),
            memoryConfig,
            ContextAssembler.of(store, memoryConfig, parts, TokenCounters.none())));
  }

  private void register(String type, IntFunction<AgentId> names) {
    int done = 0;
    for (List<AgentId> batch : batches(names, TOGETHER)) {
      store.write(
          SPACE,
          transaction -> {
            batch.forEach(id -> agents.run(transaction, new RegisterAgent(id, Profile.of(type))));
            return true;
          });
      done += batch.size();
      if (done / TOLD > (done - batch.size()) / TOLD) {
        progress.say("registered %,d of %,d agents".formatted(done, count));
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

  private static AgentId id(int number) {
    return new AgentId("agent-" + number);
  }

  private static AgentId member(int number) {
    return new AgentId(MEMBER + "-" + number);
  }

  /** As many more agents, who want one file and whose mail is that of their type. */
  AgentsRig withMembers() {
    register(MEMBER, AgentsRig::member);
    return this;
  }

  /** One commit: the agent takes its file, or gives it back. */
  void lease(int agent) {
    Lease held = leases.get(agent);
    if (held == null) {
      Resource resource = new Resource("file", "f" + agent);
      leases.set(
          agent,
          agents.run(SPACE, AcquireLease.exclusive(id(agent), resource)).granted().orElseThrow());
    } else {
      agents.run(SPACE, ReleaseLease.of(held));
      leases.set(agent, null);
    }
  }

  /**
   * One commit: the agent asks for the file that all want, keeps its place in the queue by asking
   * again, or gives the file back.
   */
  void queue(int agent) {
    wishes.increment();
    Lease held = turns.get(agent);
    if (held == null) {
      Optional<Lease> lease =
          agents.run(SPACE, AcquireLease.exclusive(member(agent), WANTED).waiting()).granted();
      lease.ifPresent(_ -> granted.increment());
      turns.set(agent, lease.orElse(null));
    } else {
      agents.run(SPACE, ReleaseLease.of(held));
      turns.set(agent, null);
    }
  }

  /** How many of all these commits gave the file to somebody. */
  double grantedShare() {
    return granted.doubleValue() / wishes.doubleValue();
  }

  /** One commit: the agent takes its message, acknowledges it, or sends the next one to itself. */
  void mail(int agent) {
    mail(agent, id(agent), messages, Address.agent(id(agent)));
  }

  /** The same with one inbox for all: each sends to the type, and takes whatever is next. */
  void typeMail(int agent) {
    mail(agent, member(agent), shared, Address.type(MEMBER));
  }

  private void mail(int agent, AgentId id, AtomicReferenceArray<@Nullable Message> on, Address to) {
    Message message = on.get(agent);
    if (message == null) {
      on.set(agent, agents.run(SPACE, SendMessage.of(id, to, Letter.of("work", "{}"))));
    } else if (message.delivery().claimer().isEmpty()) {
      on.set(agent, agents.run(SPACE, new ReceiveMessages(id, 1)).getFirst());
    } else {
      agents.run(SPACE, new AcknowledgeMessage(id, message.id()));
      on.set(agent, null);
    }
  }

  /** The store's own commit: one record with three indexes. */
  void commit() {
    Entry entry = entries.next();
    store.write(
        SPACE,
        transaction -> {
          transaction.insert(Entry.TABLE, entry);
          return true;
        });
  }

  /** A sign of life of everybody. */
  void beat() {
    batches(AgentsRig::id, config.heartbeats().batch())
        .forEach(batch -> agents.run(SPACE, new Beat(batch)));
  }

  void tend() {
    agents.tend(SPACE);
  }

  @Override
  public void close() {
    store.close();
  }
}
