package dev.caliber.agents.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.AgentsView;
import dev.caliber.agents.command.AcquireLease;
import dev.caliber.agents.command.AgentCommand;
import dev.caliber.agents.command.RecordHeartbeats;
import dev.caliber.agents.command.RegisterAgent;
import dev.caliber.agents.command.RequiredPermissions;
import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.lease.Lease;
import dev.caliber.agents.lease.Resource;
import dev.caliber.agents.mail.Message;
import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.ErrorCode;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.job.Jobs;
import dev.caliber.testkit.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** Agents on the engine under test: a planner above two coders and a reviewer. */
public abstract class AgentsFixture extends StoreFixture {
  public static final AgentId PLANNER = new AgentId("planner");
  public static final AgentId ANNA = new AgentId("anna");
  public static final AgentId BEN = new AgentId("ben");
  public static final AgentId CARA = new AgentId("cara");
  public static final AgentId NOBODY = new AgentId("stranger");
  public static final Resource FILE = new Resource("file", "src/Main.java");
  public static final Resource OTHER_FILE = new Resource("file", "src/Other.java");

  public RecordStore store;
  public Memory memory;
  public ContextAssembler contexts;
  public ContextIntegrity guardian;
  public Agents agents;
  public Jobs jobs;

  @BeforeEach
  final void openAgents() {
    store = open(this::storeConfig, tables().toArray(Table<?>[]::new));
    MemoryDependencies parts =
        MemoryDependencies.minimal(
                clock, RuntimeConfig.starter(), TokenCounter.estimate(new TokenEstimator(4)))
            .withCleanup(ContextAssembler.cleanupStep())
            .withCleanup(
                Agents.cleanupSteps(
                    config(AgentsConfig.starter()), RuntimeConfig.starter().coordination()))
            .withForgetListener(ContextAssembler.forgetListener())
            .withForgetListener(Agents.forgetListener());
    MemoryConfig config = memoryConfig(MemoryConfig.starter());
    memory = Memory.of(store, config, parts);
    contexts = ContextAssembler.of(store, config, parts, TokenCounters.none());
    guardian =
        ContextIntegrity.of(
            new ContextIntegrity.ContextIntegrityDependencies(store, memory, contexts),
            config,
            parts);
    agents = over(memory);
    jobs = Jobs.of(store, config().jobs(), clock);
    agents.registerJobHandlers(jobs);
    run(
        RegisterAgent.of(
            "planner",
            AgentProfile.of("lead").withDelegateTypes("coder").withAccess(MemoryAccess.all())));
    run(
        RegisterAgent.of(
            "anna", AgentProfile.of("coder").withSuperior(PLANNER).withAccess(MemoryAccess.all())));
    run(RegisterAgent.of("ben", AgentProfile.of("coder").withSuperior(PLANNER)));
    run(
        RegisterAgent.of(
            "cara", AgentProfile.of("reviewer").withSuperior(PLANNER).withCapabilities("review")));
  }

  /** Returns agents that work in this memory. */
  public Agents over(Memory other) {
    return Agents.of(
        store,
        config(AgentsConfig.starter()),
        new AgentsDependencies(
            clock, RuntimeConfig.starter(), other, MemoryConfig.starter(), contexts));
  }

  public static Stream<Table<?>> tables() {
    return Stream.of(Agents.tables(), Memory.tables(), ContextAssembler.tables())
        .flatMap(List::stream);
  }

  public AgentsConfig config(AgentsConfig starter) {
    return starter;
  }

  public MemoryConfig memoryConfig(MemoryConfig starter) {
    return starter;
  }

  public StoreConfig storeConfig(StoreConfig starter) {
    return starter;
  }

  public <R> R run(AgentCommand<R> command) {
    return agents.run(SPACE, command);
  }

  /** Requires the permissions of an agent in its own space. */
  public final Object permission(AgentId agent, RequiredPermissions permissions) {
    agents.requirePermissions(SPACE, new ActingAgent(SPACE, agent), permissions);
    return permissions;
  }

  public <T> List<T> listed(Function<AgentsView, List<T>> reading) {
    return agents.view(SPACE, reading);
  }

  public <T> Optional<T> found(Function<AgentsView, Optional<T>> reading) {
    return agents.view(SPACE, reading);
  }

  public static ExecutorService threads() {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("agent-", 0).factory());
  }

  public Agent read(AgentId agent) {
    return agents.view(SPACE, view -> view.agent(agent));
  }

  public Message read(Message message) {
    return agents.view(SPACE, view -> view.message(message.id()));
  }

  public Lease hold(AgentId agent, Resource resource) {
    return run(AcquireLease.exclusive(agent, resource)).grantedLease().orElseThrow();
  }

  public Lease share(AgentId agent, Resource resource) {
    return run(AcquireLease.shared(agent, resource)).grantedLease().orElseThrow();
  }

  public Trajectory task() {
    return memory.run(SPACE, StartTrajectory.of("Mend the build", EntityRef.agent("planner")));
  }

  public Id unknown() {
    return Id.derivedFrom("test", "unknown");
  }

  /** Advances the clock and runs due work. */
  public void pass(Duration time) {
    clock.advance(time);
    jobs.runDue(SPACE);
  }

  /** Advances the clock with heartbeats of these agents. */
  public void passAlive(Duration time, AgentId... alive) {
    clock.advance(time);
    run(RecordHeartbeats.of(alive));
    jobs.runDue(SPACE);
  }

  public List<TraceEvent> traces(String type) {
    return memory.view(SPACE, view -> view.trace(type, 100));
  }

  /** Returns all stored records except the traces of refusals, as text by table and key. */
  public Map<String, String> everything() {
    Map<String, String> all = new TreeMap<>();
    tables()
        .filter(table -> !table.equals(TraceEvent.TABLE) && !table.equals(Conflict.TABLE))
        .forEach(table -> collect(table, all));
    return all;
  }

  private <T> void collect(Table<T> table, Map<String, String> all) {
    List<T> records =
        store.read(SPACE, snapshot -> snapshot.scan(Query.over(table), 1000)).records();
    for (int i = 0; i < records.size(); i++) {
      all.put(table.name() + " " + i, records.get(i).toString());
    }
  }

  /** Asserts that the call is refused with this code and writes nothing but a trace. */
  public CaliberException refuses(ErrorCode code, ThrowingCallable call) {
    Map<String, String> before = everything();
    CaliberException refusal = catchThrowableOfType(CaliberException.class, call);
    assertThat(refusal).as("a refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(everything()).isEqualTo(before);
    return refusal;
  }
}
