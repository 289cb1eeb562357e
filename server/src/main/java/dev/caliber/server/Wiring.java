package dev.caliber.server;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsDependencies;
import dev.caliber.agents.lease.FencedStore;
import dev.caliber.kernel.IdGenerator;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.deployment.ActiveConfig;
import dev.caliber.memory.deployment.ActiveConfigs;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.forget.ForgetFilteredStore;
import dev.caliber.memory.pcp.ContextIntegrity;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.DeployedConfigs;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.models.GuardedHttpClient;
import dev.caliber.models.Models;
import dev.caliber.server.access.ApiKeys;
import dev.caliber.server.operation.ApiContract;
import dev.caliber.server.operation.OperationDispatcher;
import dev.caliber.server.operation.ServerModules;
import dev.caliber.server.operation.SubjectScopedStore;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.server.telemetry.Telemetry;
import dev.caliber.server.webhook.WebhookKeyProvider;
import dev.caliber.server.webhook.Webhooks;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.jdbc.Stores;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.Searchable;
import dev.caliber.store.search.index.SearchIndexes;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The construction of all modules. {@link #open} shows the architecture from top to bottom; closing
 * runs in reverse order.
 */
public final class Wiring implements AutoCloseable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final ServerModules serverModules;
  private final ApiKeys apiKeys;
  private final Models models;
  private final Jobs jobs;
  private final Optional<Webhooks> webhooks;

  private Wiring(ServerSetup setup, boolean serving) {
    try {
      ApiContract.parseInBackground();
      RecordStore records = closeLater(openStore(setup));
      RecordStore store = new SubjectScopedStore(records);
      models = closeLater(Models.openLazily(setup.models(), setup.environment(), setup.clock()));
      /* The index and the jobs work on records of every subject, also in the thread of a call that
      sees those of one. */
      jobs = newJobs(setup, records);
      SearchIndex index =
          closeLater(
              serving
                  ? openIndex(setup, records, jobs)
                  : new LazySearchIndex(() -> openIndex(setup, records, newJobs(setup, records))));
      ActiveConfigs active = closeLater(ActiveConfigs.follow(records, setup.store().feed()));
      MemoryDependencies parts = memoryDependencies(setup, models, index, active);
      Telemetry telemetry = closeLater(openTelemetry(setup, serving));
      Memory memory = telemetry.trace(Memory.of(store, setup.memory(), parts));
      ContextAssembler assembler =
          telemetry.trace(
              ContextAssembler.of(store, setup.memory(), parts, models.tokenCounters()));
      ContextIntegrity contextIntegrity =
          ContextIntegrity.of(
              new ContextIntegrity.ContextIntegrityDependencies(store, memory, assembler),
              setup.memory(),
              parts);
      Agents agents =
          Agents.of(
              store,
              setup.agents(),
              new AgentsDependencies(
                  setup.clock(), setup.runtime(), memory, setup.memory(), assembler));
      if (serving) {
        scheduleJobs(store, memory, contextIntegrity, agents);
      } else {
        memory.registerFollowUpHandlers(jobs);
      }
      closeLater(jobs);
      webhooks = serving ? Optional.of(startWebhooks(setup, store)) : Optional.empty();
      serverModules =
          new ServerModules(
              store,
              memory,
              setup.memory(),
              assembler,
              Deployments.of(store),
              active,
              index,
              models.embedder(),
              models.summarizer().isPresent(), // the other model parts use the same chat model
              contextIntegrity,
              agents,
              setup.agents(),
              setup.clock());
      apiKeys = ApiKeys.of(store, setup.clock(), setup.chance());
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  private void scheduleJobs(
      RecordStore store, Memory memory, ContextIntegrity contextIntegrity, Agents agents) {
    memory.registerJobHandlers(jobs);
    contextIntegrity.registerJobHandlers(jobs);
    agents.registerJobHandlers(jobs);
    store.spaces().forEach(memory::scheduleJobs);
    store.spaces().forEach(agents::scheduleJobs);
  }

  private Webhooks startWebhooks(ServerSetup setup, RecordStore store) {
    Webhooks started = closeLater(Webhooks.start(webhookDependencies(setup, store), jobs));
    jobs.start();
    return started;
  }

  private static Telemetry openTelemetry(ServerSetup setup, boolean serving) {
    return serving ? Telemetry.open(setup.server().telemetry()) : Telemetry.none();
  }

  private static Jobs newJobs(ServerSetup setup, RecordStore records) {
    return Jobs.of(records, setup.store().jobs(), setup.clock());
  }

  private SearchIndex openIndex(ServerSetup setup, RecordStore records, Jobs embedding) {
    return SearchIndexes.open(searchDependencies(setup, records), models.embedder(), embedding);
  }

  private static RecordStore openStore(ServerSetup setup) {
    IdGenerator ids = IdGenerator.of(setup.clock(), setup.chance());
    return ForgetFilteredStore.hideForgotten(
        new FencedStore(Stores.open(setup.store(), tables(), setup.clock(), ids)));
  }

  private static SearchIndex.SearchDependencies searchDependencies(
      ServerSetup setup, RecordStore store) {
    return new SearchIndex.SearchDependencies(
        store,
        setup.store(),
        setup.search(),
        searchableMemoryRecords(),
        setup.clock(),
        IdGenerator.of(setup.clock(), setup.chance()));
  }

  /** Opens everything; what was opened before a failure is closed again. */
  static Wiring open(ServerSetup setup) {
    return new Wiring(setup, true);
  }

  /**
   * Opens the modules for a short process: nothing runs in the background, and the search index
   * opens when an operation needs it.
   */
  static Wiring openWithoutBackgroundWork(ServerSetup setup) {
    return new Wiring(setup, false);
  }

  /** The tables of all modules. */
  public static List<Table<?>> tables() {
    return Stream.of(
            SearchIndexes.tables(),
            Deployments.tables(),
            Memory.tables(),
            ContextAssembler.tables(),
            ContextIntegrity.tables(),
            Agents.tables(),
            OperationDispatcher.tables(),
            ApiKeys.tables(),
            Webhooks.tables())
        .<Table<?>>flatMap(List::stream)
        .toList();
  }

  /** The searchable tables. */
  public static List<Searchable<?>> searchableMemoryRecords() {
    return Memory.searchableMemoryRecords();
  }

  /**
   * Returns the dependencies of memory and of the modules on top of it, in a server and elsewhere.
   */
  public static MemoryDependencies memoryDependencies(
      Clock clock, RuntimeConfig runtime, AgentsConfig agents, DeployedConfigs policies) {
    TokenEstimator estimate = new TokenEstimator(runtime.context().bytesPerToken());
    return MemoryDependencies.minimal(clock, runtime, TokenCounter.estimate(estimate))
        .withDeployedConfigs(policies)
        .withCleanup(ContextAssembler.cleanupStep())
        .withCleanup(ContextIntegrity.cleanupStep())
        .withCleanup(Agents.cleanupSteps(agents, runtime.coordination()))
        .withForgetListener(ContextAssembler.forgetListener())
        .withForgetListener(ContextIntegrity.forgetListener())
        .withForgetListener(Agents.forgetListener())
        .withForgetListener(OperationDispatcher.forgetListener())
        .withInspector(ContextIntegrity.inspector(runtime.pcp()));
  }

  private static MemoryDependencies memoryDependencies(
      ServerSetup setup, Models models, SearchIndex index, ActiveConfigs active) {
    return withChatModels(
        memoryDependencies(
                setup.clock(),
                setup.runtime(),
                setup.agents(),
                DeployedConfigs.of(
                    snapshot -> active.activeConfig(snapshot).map(ActiveConfig::config),
                    (snapshot, time) ->
                        active.activeConfigAt(snapshot, time).map(ActiveConfig::config)))
            .withSearch(index)
            .withCheckpointListener(ContextIntegrity.checkpointListener())
            .withCleanup(OperationDispatcher.cleanupSteps(setup.server())),
        models);
  }

  /** Adds the chat model that the configuration names, if it names one. */
  public static MemoryDependencies withChatModels(MemoryDependencies parts, Models models) {
    MemoryDependencies summarized = models.summarizer().map(parts::withSummarizer).orElse(parts);
    MemoryDependencies looking =
        models.extractor().map(summarized::withExtractor).orElse(summarized);
    return models.judge().map(looking::withJudge).orElse(looking);
  }

  private static Webhooks.WebhookDependencies webhookDependencies(
      ServerSetup setup, RecordStore store) {
    ServerConfig.WebhookSettings config = setup.server().webhooks();
    return new Webhooks.WebhookDependencies(
        store,
        GuardedHttpClient.of(
            "the receiver of the webhook",
            config.egress(),
            outboundLimits(config.waiting(), "server.webhooks")),
        setup.server(),
        webhookTables(),
        WebhookKeyProvider.of(
            config.keyVariable(), setup.environment(), setup.store().engine(), setup.chance()),
        setup.clock(),
        setup.chance());
  }

  /** The tables that webhooks may follow: all but those of the server's own space. */
  private static Set<String> webhookTables() {
    return tables().stream()
        .filter(table -> !table.isExcludedFromFeed() && !ApiKeys.tables().contains(table))
        .map(Table::name)
        .collect(Collectors.toSet());
  }

  static GuardedHttpClient.HttpClientLimits outboundLimits(
      ServerConfig.OutboundSettings outboundSettings, String section) {
    return new GuardedHttpClient.HttpClientLimits(
        outboundSettings.connectTimeout(),
        outboundSettings.readTimeout(),
        outboundSettings.responseTimeout(),
        outboundSettings.responseLimit(),
        section);
  }

  Webhooks webhooks() {
    return webhooks.orElseThrow();
  }

  Jobs jobs() {
    return jobs;
  }

  ServerModules modules() {
    return serverModules;
  }

  ApiKeys keys() {
    return apiKeys;
  }

  Models models() {
    return models;
  }

  <T extends AutoCloseable> T closeLater(T part) {
    opened.push(part);
    return part;
  }

  /** Closes in reverse order of opening; each part is tried. */
  @Override
  public void close() {
    ResourceCloser.closeAll(opened);
  }
}
