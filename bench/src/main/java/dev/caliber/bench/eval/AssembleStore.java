package dev.caliber.bench.eval;

import dev.caliber.bench.harness.IndexedStore;
import dev.caliber.bench.harness.ProgressPrinter;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.InjectionRule;
import dev.caliber.kernel.config.MemoryDefinition;
import dev.caliber.kernel.config.MemoryType;
import dev.caliber.kernel.config.Retention;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.memory.Memory;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.context.AssembledWindow;
import dev.caliber.memory.context.ContextAssembler;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.InclusionDecision;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.models.Models;
import dev.caliber.store.StoreConfig;
import dev.caliber.store.search.SearchChannel;
import dev.caliber.store.search.SearchConfig;
import dev.caliber.store.search.SearchFilter;
import dev.caliber.store.search.SearchHit;
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
import java.util.stream.Stream;

/** Memory, index and assembler as users have them, with one space for each conversation. */
final class AssembleStore implements AutoCloseable {
  private static final int DENSE_LIMIT = 200;
  private static final int LAST_TURNS = 200;
  private static final int WHOLE = 1_000_000;
  private static final String CONVERSATION = "conversation";
  private static final String TURNS = "turns";

  private final ManualClock clock = new ManualClock();
  private final IndexedStore opened;
  private final Models models;
  private final Memory memory;
  private final Map<EvidenceMethod, ContextAssembler> assemblers =
      new EnumMap<>(EvidenceMethod.class);
  private final Map<SpaceId, Map<Integer, EvidenceScores.WindowEvidence>> last = new HashMap<>();
  private final String tokenizer;
  private final ProgressPrinter progressPrinter;

  private AssembleStore(
      StoreConfig.EngineSettings engine,
      Path indexes,
      Models models,
      RuntimeConfig runtime,
      String tokenizer,
      ProgressPrinter progressPrinter) {
    this.models = models;
    this.tokenizer = tokenizer;
    this.progressPrinter = progressPrinter;
    this.opened =
        IndexedStore.openForMemory(
            engine,
            IndexedStore.patient(SearchConfig.starter(), indexes),
            clock,
            models.embedder());
    MemoryDependencies parts = opened.dependencies(runtime, tokenCounter());
    this.memory = Memory.of(opened.store(), MemoryConfig.starter(), parts);
    assemblers.put(EvidenceMethod.ASSEMBLED, assembler(parts));
    assemblers.put(EvidenceMethod.LAST, assembler(withLastTurnsOnly(parts)));
  }

  static AssembleStore open(
      StoreConfig.EngineSettings engine,
      Path indexes,
      Models models,
      RuntimeConfig runtime,
      String tokenizer,
      ProgressPrinter progressPrinter) {
    return new AssembleStore(engine, indexes, models, runtime, tokenizer, progressPrinter);
  }

  private ContextAssembler assembler(MemoryDependencies parts) {
    return ContextAssembler.of(
        opened.store(), MemoryConfig.starter(), parts, models.tokenCounters());
  }

  /** Returns settings that take the newest turns until the window is full. */
  private static MemoryDependencies withLastTurnsOnly(MemoryDependencies parts) {
    MemoryDefinition turns =
        new MemoryDefinition(
            TURNS,
            MemoryType.EPHEMERAL,
            List.of(),
            new Retention.PersistentRetention(),
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.empty(),
            List.of());
    InjectionRule rule =
        new InjectionRule(
            TURNS,
            "context",
            new InjectionMode.TopKInjection(LAST_TURNS),
            WHOLE,
            WHOLE,
            Optional.empty());
    CompiledConfig deployed =
        new CompiledConfig("1.0", List.of(turns), List.of(), List.of(rule), List.of());
    String[] noReserves =
        Stream.of("recalled", "artifacts", "notes", "sessions", "history")
            .map("context.reserves.%s = 0"::formatted)
            .toArray(String[]::new);
    return new MemoryDependencies(
        parts.clock(),
        parts.runtime().with(noReserves),
        parts.counter(),
        parts.summarizer(),
        parts.extractor(),
        parts.judge(),
        parts.search(),
        _ -> Optional.of(deployed),
        parts.extensions());
  }

  /** A conversation in memory. */
  record LoadedConversation(
      SpaceId space, Id trajectory, Map<Id, String> turns, Map<Id, Turn> records) {}

  /** Stores the conversation, unless a kept store has it, and waits for its vectors. */
  LoadedConversation load(EvalCorpus corpus) {
    String documents = corpus.documents().toString();
    SpaceId space = IndexedStore.spaceOf(corpus.id(), documents);
    if (!opened.store().spaces().contains(space)) {
      opened.store().createSpace(space);
      writeTurns(space, corpus);
    }
    opened.awaitVectors(space, corpus.id(), progressPrinter, clock::advance);
    Trajectory task =
        memory.view(space, view -> view.newestTrajectoryByExternalId(CONVERSATION)).orElseThrow();
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
    return new LoadedConversation(space, task.id(), turns, records);
  }

  private void writeTurns(SpaceId space, EvalCorpus corpus) {
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
                .withLabels(Labels.ofExternalId(CONVERSATION)));
    Scope scope = memory.view(space, view -> view.currentScope(task.id())).orElseThrow();
    for (List<EvalDocument> session : sessions.values()) {
      clock.set(time(session.getFirst()));
      Id current = scope.id();
      memory.run(
          space, new AppendTurns(current, session.stream().map(AssembleStore::newTurn).toList()));
      memory.run(space, CloseScope.of(current));
      scope = memory.run(space, new OpenScope(task.id()));
    }
  }

  private static Instant time(EvalDocument document) {
    return document.time().orElse(ManualClock.START);
  }

  private static NewTurn newTurn(EvalDocument document) {
    Labels labels = Labels.ofExternalId(document.id());
    return NewTurn.user(document.text())
        .withLabels(
            document.speaker().map(name -> labels.withMetadata("speaker", name)).orElse(labels));
  }

  /** Returns the evidence inside the window, by budget. */
  Map<Integer, EvidenceScores.WindowEvidence> evidenceByBudget(
      LoadedConversation loadedConversation,
      EvalQuestion question,
      EvidenceMethod method,
      List<Integer> budgets) {
    return switch (method) {
      case ASSEMBLED ->
          evidenceInWindows(loadedConversation, Optional.of(question.text()), method, budgets);
      case LAST ->
          last.computeIfAbsent(
              loadedConversation.space(),
              _ -> evidenceInWindows(loadedConversation, Optional.empty(), method, budgets));
      case DENSE -> evidenceByDenseSearch(loadedConversation, question, budgets);
    };
  }

  private Map<Integer, EvidenceScores.WindowEvidence> evidenceInWindows(
      LoadedConversation loadedConversation,
      Optional<String> query,
      EvidenceMethod method,
      List<Integer> budgets) {
    AssembleRequest plain =
        AssembleRequest.of(loadedConversation.trajectory()).withTokenizer(tokenizer).withDryRun();
    AssembleRequest request = query.map(plain::withQuery).orElse(plain);
    Map<Integer, EvidenceScores.WindowEvidence> found = new HashMap<>();
    for (int budget : budgets) {
      AssembledWindow made =
          Objects.requireNonNull(assemblers.get(method))
              .assemble(loadedConversation.space(), request.withMaxTokens(budget));
      found.put(budget, evidenceIn(loadedConversation, made.window()));
    }
    return found;
  }

  private static EvidenceScores.WindowEvidence evidenceIn(
      LoadedConversation loadedConversation, Window window) {
    Set<String> inside = new HashSet<>();
    for (LedgerLine line : window.ledger()) {
      if (line.decision() == InclusionDecision.INCLUDE
          && line.candidate().kind() == SourceKind.TURN) {
        inside.add(loadedConversation.turns().getOrDefault(line.candidate().id(), ""));
      }
    }
    return new EvidenceScores.WindowEvidence(inside, window.usedTokens());
  }

  /** Selects the turns nearest by vector, written as in a window, as long as they fit. */
  private Map<Integer, EvidenceScores.WindowEvidence> evidenceByDenseSearch(
      LoadedConversation loadedConversation, EvalQuestion question, List<Integer> budgets) {
    Map<SearchChannel, Double> weights = new EnumMap<>(SearchChannel.class);
    for (SearchChannel searchChannel : SearchChannel.values()) {
      weights.put(searchChannel, searchChannel == SearchChannel.DENSE ? 1.0 : 0.0);
    }
    SearchQuery query =
        SearchQuery.of(loadedConversation.space(), question.text(), DENSE_LIMIT)
            .withTables(Turn.TABLE.name())
            .withFilter(
                SearchFilter.equal("trajectory_id", loadedConversation.trajectory().toString()))
            .withWeights(weights);
    List<SearchHit> hits = opened.index().search(query).hits();
    Map<Integer, EvidenceScores.WindowEvidence> found = new HashMap<>();
    budgets.forEach(
        budget -> found.put(budget, evidenceWithinBudget(loadedConversation, hits, budget)));
    return found;
  }

  private EvidenceScores.WindowEvidence evidenceWithinBudget(
      LoadedConversation loadedConversation, List<SearchHit> hits, int budget) {
    TokenCounter counter = tokenCounter();
    Set<String> inside = new HashSet<>();
    int used = counter.count("## recalled\n");
    for (SearchHit hit : hits) {
      Turn turn = Objects.requireNonNull(loadedConversation.records().get(Id.parse(hit.key())));
      int tokens = counter.count(renderTurn(turn, inside.size() + 1));
      if (used + tokens > budget) {
        return new EvidenceScores.WindowEvidence(inside, used);
      }
      used += tokens;
      inside.add(loadedConversation.turns().getOrDefault(turn.id(), ""));
    }
    return new EvidenceScores.WindowEvidence(inside, used);
  }

  private static String renderTurn(Turn turn, int number) {
    return "- [%d] user %s %s: %s\n"
        .formatted(
            number,
            turn.speaker().orElse(""),
            turn.createdAt().toString().substring(0, "2026-01-01".length()),
            turn.searchableText());
  }

  private TokenCounter tokenCounter() {
    return models.tokenCounters().byName(tokenizer).orElseThrow();
  }

  @Override
  public void close() {
    opened.close();
  }
}
