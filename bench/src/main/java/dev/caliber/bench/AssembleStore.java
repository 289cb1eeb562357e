package dev.caliber.bench;

import dev.caliber.kernel.Chance;
import dev.caliber.kernel.Hashing;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Ids;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.InjectionRule;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.MemoryConfig;
import dev.caliber.memory.MemoryParts;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembleRequest;
import dev.caliber.memory.context.Assembled;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.Decision;
import dev.caliber.memory.context.LedgerLine;
import dev.caliber.memory.context.SourceKind;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.models.Models;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.Table;
import dev.caliber.store.search.Channel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
import dev.caliber.store.search.SearchIndex;
import dev.caliber.store.search.SearchQuery;
import dev.caliber.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Memory, index and assembler that users get, with one space for each conversation. */
final class AssembleStore implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int NAME_LENGTH = 20;
  private static final int DENSE_LIMIT = 200;
  private static final int LAST_TURNS = 200;
  private static final int WHOLE = 1_000_000;
  private static final String CONVERSATION = "conversation";
  private static final String TURNS = "turns";

  private final ManualClock clock = new ManualClock();
  private final RecordStore store;
  private final Jobs jobs;
  private final SearchIndex index;
  private final Models models;
  private final Memory memory;
  private final Map<EvidenceMethod, ContextAssembler> assemblers =
      new EnumMap<>(EvidenceMethod.class);
  private final Map<SpaceId, Map<Integer, EvidenceScores.Inside>> last = new HashMap<>();
  private final String tokenizer;
  private final Progress progress;

  private AssembleStore(
      StoreConfig.EngineConfig engine,
      Path indexes,
      Models models,
      RuntimeConfig runtime,
      String tokenizer,
      Progress progress) {
    this.models = models;
    this.tokenizer = tokenizer;
    this.progress = progress;
    StoreConfig config = StoreConfig.starter().withEngine(engine);
    Ids ids = Ids.of(clock, Chance.system());
    List<Table<?>> tables = new ArrayList<>(SearchIndex.tables());
    tables.addAll(Memory.tables());
    tables.addAll(ContextAssembler.tables());
    this.store = RecordStore.open(config, tables, clock, ids);
    this.jobs = Jobs.of(store, config.jobs(), clock);
    this.index =
        SearchIndex.open(
            new SearchIndex.Parts(
                store, config, settings(indexes), Memory.searchables(), clock, ids),
            models.embedder(),
            jobs);
    MemoryParts parts = MemoryParts.plain(clock, runtime, counter()).withSearch(index);
    this.memory = Memory.of(store, MemoryConfig.starter(), parts);
    assemblers.put(EvidenceMethod.ASSEMBLED, assembler(parts));
    assemblers.put(EvidenceMethod.LAST, assembler(lastTurns(parts)));
  }

  static AssembleStore open(
      StoreConfig.EngineConfig engine,
      Path indexes,
      Models models,
      RuntimeConfig runtime,
      String tokenizer,
      Progress progress) {
    return new AssembleStore(engine, indexes, models, runtime, tokenizer, progress);
  }

  private ContextAssembler assembler(MemoryParts parts) {
    return ContextAssembler.of(store, MemoryConfig.starter(), parts, models.counters());
  }

  private static SearchConfig settings(Path indexes) {
    SearchConfig starter = SearchConfig.starter();
    SearchConfig.General general = starter.general();
    return starter.withGeneral(
        new SearchConfig.General(indexes, PATIENCE, general.limitMax(), general.migration()));
  }

  /** One rule that takes the newest turns until the window is full, and no reserve for others. */
  private static MemoryParts lastTurns(MemoryParts parts) {
    MemoryDefinition turns =
        new MemoryDefinition(
            TURNS,
            MemoryType.EPHEMERAL,
            List.of(),
            new Retention.Persistent(),
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.empty(),
            List.of());
    InjectionRule rule =
        new InjectionRule(
            TURNS, "context", new InjectionMode.TopK(LAST_TURNS), WHOLE, WHOLE, Optional.empty());
    CompiledConfig deployed =
        new CompiledConfig("1.0", List.of(turns), List.of(), List.of(rule), List.of());
    RuntimeConfig runtime = parts.runtime();
    ContextConfig context = runtime.context();
    ContextConfig plain =
        context.withAssembly(
            context.assembly().withReserves(new ContextConfig.Reserves(0, 0, 0, 0, 0)));
    return new MemoryParts(
        parts.clock(),
        new RuntimeConfig(plain, runtime.pcp(), runtime.memory(), runtime.coordination()),
        parts.counter(),
        parts.summarizer(),
        parts.extractor(),
        parts.judge(),
        parts.search(),
        _ -> Optional.of(deployed),
        parts.rooms(),
        parts.access());
  }

  /** A conversation in memory. */
  record Loaded(SpaceId space, Id trajectory, Map<Id, String> turns, Map<Id, Turn> records) {}

  /** Stores the conversation, unless a kept store has it, and waits for its vectors. */
  Loaded load(EvalCorpus corpus) {
    String documents = corpus.documents().toString();
    SpaceId space =
        new SpaceId(
            "eval-" + Hashing.hash("corpus", corpus.id(), documents).substring(0, NAME_LENGTH));
    if (!store.spaces().contains(space)) {
      store.createSpace(space);
      tell(space, corpus);
    }
    awaitVectors(space, corpus.id());
    Trajectory task = memory.view(space, view -> view.session(CONVERSATION)).orElseThrow();
    Map<Id, String> turns = new HashMap<>();
    Map<Id, Turn> records = new HashMap<>();
    memory
        .view(space, view -> view.turns(task.id(), 0, Integer.MAX_VALUE))
        .forEach(
            turn -> {
              turns.put(turn.id(), turn.labels().externalId().orElseThrow());
              records.put(turn.id(), turn);
            });
    clock.set(task.updatedAt().plus(Duration.ofHours(1)));
    return new Loaded(space, task.id(), turns, records);
  }

  private void tell(SpaceId space, EvalCorpus corpus) {
    Map<String, List<EvalDocument>> sessions = new LinkedHashMap<>();
    corpus
        .documents()
        .forEach(
            document ->
                sessions
                    .computeIfAbsent(document.session().orElse(""), _ -> new ArrayList<>())
                    .add(document));
    clock.set(time(corpus.documents().getFirst()));
    Trajectory task =
        memory.run(
            space,
            StartTrajectory.of("Talk", EntityRef.agent("eval"))
                .labelled(Labels.ofExternalId(CONVERSATION)));
    Scope scope = memory.view(space, view -> view.currentScope(task.id())).orElseThrow();
    for (List<EvalDocument> session : sessions.values()) {
      clock.set(time(session.getFirst()));
      Id current = scope.id();
      memory.run(
          space, new AppendTurns(current, session.stream().map(AssembleStore::turn).toList()));
      memory.run(space, CloseScope.of(current));
      scope = memory.run(space, new OpenScope(task.id()));
    }
  }

  private static Instant time(EvalDocument document) {
    return document.time().orElse(ManualClock.START);
  }

  private static NewTurn turn(EvalDocument document) {
    Labels labels = Labels.ofExternalId(document.id());
    return NewTurn.user(document.text())
        .labelled(document.speaker().map(name -> labels.with("speaker", name)).orElse(labels));
  }

  private void awaitVectors(SpaceId space, String name) {
    index.await(space, store.changes().head(space).sequence());
    while (index.status(space).backlog() > 0) {
      progress.say(
          "%s: %,d records wait for vectors".formatted(name, index.status(space).backlog()));
      clock.advance(PAUSE);
      if (jobs.runDue(space) == 0) {
        Stopwatch.waitUntil(Stopwatch.after(PAUSE));
      }
      index.await(space, store.changes().head(space).sequence());
    }
  }

  /** What is inside by each budget. */
  Map<Integer, EvidenceScores.Inside> evidence(
      Loaded loaded, EvalQuestion question, EvidenceMethod method, List<Integer> budgets) {
    return switch (method) {
      case ASSEMBLED -> assembled(loaded, Optional.of(question.text()), method, budgets);
      case LAST ->
          last.computeIfAbsent(
              loaded.space(), _ -> assembled(loaded, Optional.empty(), method, budgets));
      case DENSE -> dense(loaded, question, budgets);
    };
  }

  private Map<Integer, EvidenceScores.Inside> assembled(
      Loaded loaded, Optional<String> query, EvidenceMethod method, List<Integer> budgets) {
    AssembleRequest plain = AssembleRequest.of(loaded.trajectory()).countedBy(tokenizer).dry();
    AssembleRequest request = query.map(plain::asking).orElse(plain);
    Map<Integer, EvidenceScores.Inside> found = new HashMap<>();
    for (int budget : budgets) {
      Assembled made =
          Objects.requireNonNull(assemblers.get(method))
              .assemble(loaded.space(), request.within(budget));
      found.put(budget, inside(loaded, made.window()));
    }
    return found;
  }

  private static EvidenceScores.Inside inside(Loaded loaded, Window window) {
    Set<String> inside = new HashSet<>();
    for (LedgerLine line : window.ledger()) {
      if (line.decision() == Decision.INCLUDE && line.candidate().kind() == SourceKind.TURN) {
        inside.add(loaded.turns().getOrDefault(line.candidate().id(), ""));
      }
    }
    return new EvidenceScores.Inside(inside, window.usedTokens());
  }

  /** The turns nearest by vector, in the form of a window, as long as they fit. */
  private Map<Integer, EvidenceScores.Inside> dense(
      Loaded loaded, EvalQuestion question, List<Integer> budgets) {
    Map<Channel, Double> weights = new EnumMap<>(Channel.class);
    for (Channel channel : Channel.values()) {
      weights.put(channel, channel == Channel.DENSE ? 1.0 : 0.0);
    }
    SearchQuery query =
        SearchQuery.of(loaded.space(), question.text(), DENSE_LIMIT)
            .in(Turn.TABLE.name())
            .where(SearchFilter.equal("trajectory_id", loaded.trajectory().toString()))
            .weighing(weights);
    List<SearchHit> hits = index.search(query).hits();
    Map<Integer, EvidenceScores.Inside> found = new HashMap<>();
    budgets.forEach(budget -> found.put(budget, fitting(loaded, hits, budget)));
    return found;
  }

  private EvidenceScores.Inside fitting(Loaded loaded, List<SearchHit> hits, int budget) {
    TokenCounter counter = counter();
    Set<String> inside = new HashSet<>();
    int used = counter.count("## recalled\n");
    for (SearchHit hit : hits) {
      Turn turn = Objects.requireNonNull(loaded.records().get(Id.parse(hit.key())));
      int tokens = counter.count(rendered(turn, inside.size() + 1));
      if (used + tokens > budget) {
        return new EvidenceScores.Inside(inside, used);
      }
      used += tokens;
      inside.add(loaded.turns().getOrDefault(turn.id(), ""));
    }
    return new EvidenceScores.Inside(inside, used);
  }

  private static String rendered(Turn turn, int number) {
    return "- [%d] user %s %s: %s\n"
        .formatted(
            number,
            turn.speaker().orElse(""),
            turn.createdAt().toString().substring(0, "2026-01-01".length()),
            turn.words());
  }

  private TokenCounter counter() {
    return models.counters().named(tokenizer).orElseThrow();
  }

  @Override
  public void close() {
    index.close();
    jobs.close();
    store.close();
  }
}
