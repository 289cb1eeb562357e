package dev.caliber.server;

import dev.caliber.agents.Agents;
import dev.caliber.agents.AgentsConfig;
import dev.caliber.agents.AgentsParts;
import dev.caliber.agents.FencedStore;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.TokenEstimate;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.DeployedConfigs;
import dev.caliber.memory.HidingStore;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.deployment.ActiveConfig;
import dev.caliber.memory.deployment.ActiveConfigs;
import dev.caliber.memory.deployment.Deployments;
import dev.caliber.memory.pcp.Guardian;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.models.Models;
import dev.caliber.models.Outbound;
import dev.caliber.server.access.Keys;
import dev.caliber.server.operation.Operations;
import dev.caliber.server.operation.Rooms;
import dev.caliber.server.operation.SubjectScopedStore;
import dev.caliber.server.settings.ServerConfig;
import dev.caliber.server.telemetry.Telemetry;
import dev.caliber.server.webhook.SecretKeys;
import dev.caliber.server.webhook.Webhooks;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Table;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.Searchable;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the rooms are put together. Reading {@link #open} from top to bottom is reading the
 * architecture; closing goes the same way back.
 */
public final class Wiring implements AutoCloseable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Rooms rooms;
  private final Keys keys;
  private final Models models;
  private final Jobs jobs;
  private final Webhooks webhooks;

  private Wiring(Setup setup) {
    try {
      RecordStore records =
          opened(
              HidingStore.over(
                  new FencedStore(
                      RecordStore.open(
                          setup.store(),
                          tables(),
                          setup.clock(),
                          Ids.of(setup.clock(), setup.chance())))));
      RecordStore store = new SubjectScopedStore(records);
      models = opened(Models.opening(setup.models(), setup.environment(), setup.clock()));
      /* The index and the jobs work on records of every subject, also in the thread of a call that
      sees those of one. */
      jobs = Jobs.of(records, setup.store().jobs(), setup.clock());
      SearchIndex index =
          opened(SearchIndex.open(searched(setup, records), models.embedder(), jobs));
      ActiveConfigs active = opened(ActiveConfigs.follow(records, setup.store().feed()));
      MemoryParts parts = parts(setup, models, index, active);
      Telemetry telemetry = opened(Telemetry.open(setup.server().telemetry()));
      Memory memory = telemetry.watch(Memory.of(store, setup.memory(), parts));
      ContextAssembler assembler =
          telemetry.watch(ContextAssembler.of(store, setup.memory(), parts, models.counters()));
      Guardian guardian =
          Guardian.of(new Guardian.Rooms(store, memory, assembler), setup.memory(), parts);
      Agents agents =
          Agents.of(
              store,
              setup.agents(),
              new AgentsParts(setup.clock(), setup.runtime(), memory, setup.memory(), assembler));
      memory.attach(jobs);
      guardian.attach(jobs);
      agents.attach(jobs);
      store.spaces().forEach(memory::arm);
      store.spaces().forEach(agents::arm);
      opened(jobs);
      webhooks = opened(Webhooks.start(webhooks(setup, store), jobs));
      jobs.start();
      rooms =
          new Rooms(
              store,
              memory,
              setup.memory(),
              assembler,
              Deployments.of(store),
              active,
              index,
              models.embedder(),
              models.summarizer().isPresent(), // the others go by the same chat model
              guardian,
              agents,
              setup.agents(),
              setup.clock());
      keys = Keys.of(store, setup.clock(), setup.chance());
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  private static SearchIndex.Parts searched(Setup setup, RecordStore store) {
    return new SearchIndex.Parts(
        store,
        setup.store(),
        setup.search(),
        searchables(),
        setup.clock(),
        Ids.of(setup.clock(), setup.chance()));
  }

  /** Opens everything; what was opened before a failure is closed again. */
  static Wiring open(Setup setup) {
    return new Wiring(setup);
  }

  /** The tables of all rooms. */
  public static List<Table<?>> tables() {
    return Stream.of(
            SearchIndex.tables(),
            Deployments.tables(),
            Memory.tables(),
            ContextAssembler.tables(),
            Guardian.tables(),
            Agents.tables(),
            Operations.tables(),
            Keys.tables(),
            Webhooks.tables())
        .<Table<?>>flatMap(List::stream)
        .toList();
  }

  /** What can be searched of them. */
  public static List<Searchable<?>> searchables() {
    return Memory.searchables();
  }

  /** What memory and what is made of it are given, wherever they run. */
  public static MemoryParts parts(
      Clock clock, RuntimeConfig runtime, AgentsConfig agents, DeployedConfigs policies) {
    TokenEstimate estimate = new TokenEstimate(runtime.context().bytesPerToken());
    return MemoryParts.plain(clock, runtime, TokenCounter.estimate(estimate))
        .withPolicies(policies)
        .withCleanup(ContextAssembler.cleanup())
        .withCleanup(Guardian.cleanup())
        .withCleanup(Agents.cleanup(agents, runtime.coordination()))
        .withQuoting(ContextAssembler.quoting())
        .withQuoting(Guardian.quoting())
        .withQuoting(Agents.quoting())
        .withQuoting(Operations.quoting())
        .withInspector(Guardian.inspector(runtime.pcp()));
  }

  private static MemoryParts parts(
      Setup setup, Models models, SearchIndex index, ActiveConfigs active) {
    return reading(
        parts(
                setup.clock(),
                setup.runtime(),
                setup.agents(),
                DeployedConfigs.of(
                    snapshot -> active.current(snapshot).map(ActiveConfig::config),
                    (snapshot, time) -> active.at(snapshot, time).map(ActiveConfig::config)))
            .withSearch(index)
            .withCheckpoints(Guardian.checkpoints())
            .withCleanup(Operations.cleanup(setup.server())),
        models);
  }

  /** The same with the chat model that the configuration names, if it does. */
  public static MemoryParts reading(MemoryParts parts, Models models) {
    MemoryParts summarized = models.summarizer().map(parts::withSummarizer).orElse(parts);
    MemoryParts looking = models.extractor().map(summarized::withExtractor).orElse(summarized);
    return models.judge().map(looking::withJudge).orElse(looking);
  }

  private static Webhooks.Parts webhooks(Setup setup, RecordStore store) {
    ServerConfig.Webhooks config = setup.server().webhooks();
    return new Webhooks.Parts(
        store,
        Outbound.of("The receiver", config.egress(), limits(config.waiting(), "server.webhooks")),
        setup.server(),
        told(),
        SecretKeys.of(
            config.keyVariable(), setup.environment(), setup.store().engine(), setup.chance()),
        setup.clock(),
        setup.chance());
  }

  /** Tables of which somebody outside may be told: not those of the server's own space. */
  private static Set<String> told() {
    return tables().stream()
        .filter(table -> !table.isQuiet() && !Keys.tables().contains(table))
        .map(Table::name)
        .collect(Collectors.toSet());
  }

  static Outbound.Limits limits(ServerConfig.Waiting waiting, String section) {
    return new Outbound.Limits(
        waiting.connectTimeout(),
        waiting.silence(),
        waiting.answerTimeout(),
        waiting.answerLimit(),
        section);
  }

  Webhooks webhooks() {
    return webhooks;
  }

  Jobs jobs() {
    return jobs;
  }

  Rooms rooms() {
    return rooms;
  }

  Keys keys() {
    return keys;
  }

  Models models() {
    return models;
  }

  <T extends AutoCloseable> T opened(T part) {
    opened.push(part);
    return part;
  }

  /** Last opened, first closed; each is tried. */
  @Override
  public void close() {
    Closing.all(opened);
  }
}
