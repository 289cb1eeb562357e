package dev.caliber.app.demo;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.app.shell.CommandContext;
import dev.caliber.app.shell.OpenStore;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.models.Models;
import dev.caliber.models.ModelsConfig;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.index.SearchIndexes;
import java.time.Clock;

/** The modules of Caliber over the demo's store, with the starter's settings and its model. */
record DemoModules(
    OpenStore store,
    Models models,
    Jobs jobs,
    SearchIndex index,
    Memory memory,
    ContextAssembler assembler,
    ContextIntegrity integrity,
    Agents agents)
    implements AutoCloseable {

  static DemoModules open(CommandContext commandContext, StoreConfig config) {
    Clock clock = commandContext.environment().clock();
    MemoryConfig memoryConfig = MemoryConfig.starter();
    OpenStore store = commandContext.open(config);
    Models models =
        Models.open(ModelsConfig.starter(), commandContext.environment().environment(), clock);
    Jobs jobs = Jobs.of(store.records(), config.jobs(), clock);
    SearchIndex index =
        SearchIndexes.open(
            new SearchIndex.SearchDependencies(
                store.records(),
                config,
                SearchConfig.starter(),
                Memory.searchableMemoryRecords(),
                clock,
                commandContext.ids()),
            models.embedder(),
            jobs);
    MemoryDependencies dependencies = dependencies(commandContext).withSearch(index);
    Memory memory = Memory.of(store.records(), memoryConfig, dependencies);
    ContextAssembler assembler =
        ContextAssembler.of(
            store.records(),
            memoryConfig,
            dependencies,
            Models.tokenCounters(ModelsConfig.starter()));
    ContextIntegrity integrity =
        ContextIntegrity.of(
            new ContextIntegrity.ContextIntegrityDependencies(store.records(), memory, assembler),
            memoryConfig,
            dependencies);
    Agents agents =
        Agents.of(
            store.records(),
            AgentsConfig.starter(),
            new AgentsDependencies(
                clock, RuntimeConfig.starter(), memory, memoryConfig, assembler));
    return new DemoModules(store, models, jobs, index, memory, assembler, integrity, agents);
  }

  /** Memory alone, without an index. */
  static Memory openMemory(CommandContext commandContext, OpenStore store) {
    return Memory.of(store.records(), MemoryConfig.starter(), dependencies(commandContext));
  }

  private static MemoryDependencies dependencies(CommandContext commandContext) {
    RuntimeConfig runtime = RuntimeConfig.starter();
    return MemoryDependencies.minimal(
        commandContext.environment().clock(),
        runtime,
        TokenCounter.estimate(new TokenEstimator(runtime.context().bytesPerToken())));
  }

  @Override
  public void close() {
    index.close();
    jobs.close();
    models.close();
    store.close();
  }
}
