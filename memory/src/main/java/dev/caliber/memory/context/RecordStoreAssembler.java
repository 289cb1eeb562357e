package dev.caliber.memory.context;

import dev.caliber.kernel.DataSize;
import dev.caliber.kernel.FieldHash;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.TokenEstimator;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.ContextConfig.QualitySettings;
import dev.caliber.kernel.config.ContextConfig.WindowPersistence;
import dev.caliber.kernel.config.ContextFormat;
import dev.caliber.kernel.config.ContextIntegrityConfig.WindowLimits;
import dev.caliber.memory.context.budget.TokenCountCache;
import dev.caliber.memory.context.budget.WindowComposer;
import dev.caliber.memory.context.candidate.AncestorTrajectory;
import dev.caliber.memory.context.candidate.CandidateCollector;
import dev.caliber.memory.context.candidate.CandidateContent;
import dev.caliber.memory.context.candidate.CandidateSearch;
import dev.caliber.memory.context.candidate.CandidateSearchResult;
import dev.caliber.memory.context.candidate.InstructionsCandidate;
import dev.caliber.memory.context.candidate.SectionRule;
import dev.caliber.memory.context.candidate.SectionRuleFactory;
import dev.caliber.memory.context.candidate.VisibleRecords;
import dev.caliber.memory.context.candidate.WindowSubjectFilter;
import dev.caliber.memory.context.explain.WindowDiff;
import dev.caliber.memory.context.explain.WindowExplanation;
import dev.caliber.memory.context.window.AnswerAnnotation;
import dev.caliber.memory.context.window.AssembleRequest;
import dev.caliber.memory.context.window.ComposedWindow;
import dev.caliber.memory.context.window.CompositionSettings;
import dev.caliber.memory.context.window.ContextException;
import dev.caliber.memory.context.window.LedgerLine;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.TrustFormatInput;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.spi.TokenCounter;
import dev.caliber.memory.spi.TokenCounters;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.Query;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Assembler that composes windows from the records of a store. */
final class RecordStoreAssembler implements ContextAssembler {
  private static final String ESTIMATE = "estimate";

  /** Maximum number of searches for one window while its search plan changes. */
  static final int SEARCHES_BOUND = 3;

  private final RecordStore store;
  private final MemoryConfig memory;
  private final MemoryDependencies parts;
  private final TokenCounters counters;
  private final TokenCountCache tokenCountCache;

  RecordStoreAssembler(
      RecordStore store, MemoryConfig memory, MemoryDependencies parts, TokenCounters counters) {
    this.store = store;
    this.memory = memory;
    this.parts = parts;
    this.counters = counters;
    this.tokenCountCache = new TokenCountCache(config().assembly().tokenCountCacheSize());
  }

  private ContextConfig config() {
    return parts.runtime().context();
  }

  @Override
  public AssembledWindow assemble(SpaceId space, AssembleRequest request) {
    Instant begun = parts.clock().instant();
    requireWithinLimits(request);
    int budget = tokenBudget(request);
    TokenCounter counter = tokenCounter(request);
    CompositionSettings compositionSettings =
        newSettings(request, budget, counter, request.asOf().orElse(begun));
    WindowDraft windowDraft = draftWindow(space, request, compositionSettings);
    ComposedWindow composedWindow =
        WindowComposer.compose(
            windowDraft.recipe(), windowDraft.candidates(), counter, tokenCountCache);
    Window window = newWindow(request, windowDraft, composedWindow, begun);
    return new AssembledWindow(saveWindow(space, request, window, begun), composedWindow.text());
  }

  private void requireWithinLimits(AssembleRequest request) {
    MemoryConfig.MemoryLimits memoryLimits = memory.limits();
    request.query().ifPresent(query -> checkSize("query", "note", memoryLimits.note(), query));
    request.model().ifPresent(model -> checkSize("model", "text", memoryLimits.text(), model));
    request
        .tokenizer()
        .ifPresent(name -> checkSize("tokenizer", "text", memoryLimits.text(), name));
    request.subject().ifPresent(name -> checkSize("subject", "text", memoryLimits.text(), name));
    Set<String> subjects = request.visible().map(ReadableSubjects::subjects).orElse(Set.of());
    new Limit("memory.limits.page-size", memoryLimits.pageSize())
        .requireWithin("subjects", subjects.size());
    subjects.forEach(name -> checkSize("subjects", "text", memoryLimits.text(), name));
  }

  private static void checkSize(String field, String name, DataSize limit, String text) {
    new Limit("memory.limits." + name, limit.bytes())
        .requireWithin(field, text.getBytes(StandardCharsets.UTF_8).length);
  }

  /**
   * Inputs of a search as of one commit: deployed configuration, rules, scopes and present kinds.
   */
  private record SearchPlan(
      Optional<CompiledConfig> deployed,
      List<SectionRule> rules,
      Optional<Id> currentScope,
      List<AncestorTrajectory> ancestors,
      Set<SourceKind> searchableKinds,
      ReadableSubjects visible,
      Optional<String> subject,
      long epoch,
      long sequence) {

    boolean isOfCommit(Snapshot snapshot) {
      return epoch == snapshot.epoch() && sequence == snapshot.sequence();
    }

    boolean hasSameSearch(SearchPlan other) {
      return rules.equals(other.rules)
          && currentScope.equals(other.currentScope)
          && ancestors.equals(other.ancestors)
          && searchableKinds.equals(other.searchableKinds)
          && visible.equals(other.visible)
          && subject.equals(other.subject);
    }

    /** Returns the trajectory, then its ancestors. */
    List<Id> trajectories(Id own) {
      return trajectoryAndAncestors(own, ancestors);
    }
  }

  private static List<Id> trajectoryAndAncestors(Id own, List<AncestorTrajectory> ancestors) {
    return Stream.concat(Stream.of(own), ancestors.stream().map(AncestorTrajectory::trajectory))
        .toList();
  }

  /** Search result with the plan that produced it. */
  private record PlannedSearchResult(SearchPlan plan, CandidateSearchResult result) {

    /** Returns the result, marked as outdated if the plan has changed. */
    CandidateSearchResult resultFor(SearchPlan now) {
      return isValidFor(now) ? result : result.withOutdatedPlan(plan.sequence);
    }

    boolean isValidFor(SearchPlan now) {
      return !result.searched() || now.hasSameSearch(plan);
    }
  }

  /** Inputs of composing; everything but the search result is as of the plan's commit. */
  private record WindowDraft(
      CompositionSettings recipe,
      List<CandidateContent> candidates,
      SearchPlan plan,
      CandidateSearchResult searchResult,
      int otherSubjects) {}

  /** Draft, or the plan for another search. */
  private record WindowDraftAttempt(SearchPlan plan, Optional<WindowDraft> draft) {}

  /*
   * Embedding and searching happen outside a snapshot. A plan is therefore read for the search, and
   * read again in the snapshot of everything else, unless that is of the same commit. The search
   * sees at least the plan's commit, so no record is missed between the search and the snapshot.
   */
  private WindowDraft draftWindow(
      SpaceId space, AssembleRequest request, CompositionSettings compositionSettings) {
    if (!usesSearch(request)) {
      return store.read(
          space,
          snapshot ->
              draftFromSnapshot(
                  snapshot,
                  request,
                  compositionSettings,
                  searchPlan(snapshot, request, compositionSettings),
                  CandidateSearchResult.notSearched()));
    }
    SearchPlan searchPlan =
        store.read(space, snapshot -> searchPlan(snapshot, request, compositionSettings));
    return draftWithSearch(space, request, compositionSettings, searchPlan, SEARCHES_BOUND);
  }

  private WindowDraft draftWithSearch(
      SpaceId space,
      AssembleRequest request,
      CompositionSettings compositionSettings,
      SearchPlan searchPlan,
      int searches) {
    PlannedSearchResult plannedSearchResult =
        new PlannedSearchResult(
            searchPlan, search(space, request, searchPlan, compositionSettings.at()));
    WindowDraftAttempt windowDraftAttempt =
        store.read(
            space,
            snapshot ->
                attemptDraft(
                    snapshot, request, compositionSettings, plannedSearchResult, searches == 1));
    return windowDraftAttempt
        .draft()
        .orElseGet(
            () ->
                draftWithSearch(
                    space, request, compositionSettings, windowDraftAttempt.plan(), searches - 1));
  }

  /**
   * Returns a draft, or the new plan if the search is outdated; the last attempt accepts its
   * result.
   */
  private WindowDraftAttempt attemptDraft(
      Snapshot snapshot,
      AssembleRequest request,
      CompositionSettings compositionSettings,
      PlannedSearchResult plannedSearchResult,
      boolean last) {
    SearchPlan now =
        plannedSearchResult.plan().isOfCommit(snapshot)
            ? plannedSearchResult.plan()
            : searchPlan(snapshot, request, compositionSettings);
    return new WindowDraftAttempt(
        now,
        last || plannedSearchResult.isValidFor(now)
            ? Optional.of(
                draftFromSnapshot(
                    snapshot,
                    request,
                    compositionSettings,
                    now,
                    plannedSearchResult.resultFor(now)))
            : Optional.empty());
  }

  private boolean usesSearch(AssembleRequest request) {
    return request.query().isPresent() && parts.search().isPresent();
  }

  private int tokenBudget(AssembleRequest request) {
    int most = config().tokenBudget();
    int wanted = request.maxTokens().orElse(most);
    if (wanted < 1 || wanted > most) {
      throw ContextException.invalidBudget(wanted, most);
    }
    return wanted;
  }

  private TokenCounter tokenCounter(AssembleRequest request) {
    return request
        .tokenizer()
        .map(
            name ->
                namedCounter(name, config().bytesPerToken(), config().assembly().estimateMargin()))
        .or(() -> request.model().flatMap(counters::forModel))
        .orElseGet(this::estimatingCounter);
  }

  private TokenCounter estimatingCounter() {
    return estimatingCounter(config().bytesPerToken(), config().assembly().estimateMargin());
  }

  private static TokenCounter estimatingCounter(double bytesPerToken, double margin) {
    return TokenCounter.estimate(new TokenEstimator(bytesPerToken / margin));
  }

  private TokenCounter namedCounter(String name, double bytesPerToken, double margin) {
    return name.equals(ESTIMATE)
        ? estimatingCounter(bytesPerToken, margin)
        : counters.byName(name).orElseThrow(() -> ContextException.unknownTokenizer(name));
  }

  /** Returns the deployed configuration, or that of the requested time. */
  private Optional<CompiledConfig> deployedConfig(Snapshot snapshot, AssembleRequest request) {
    return request
        .asOf()
        .map(at -> parts.deployedConfigs().configAt(snapshot, at))
        .orElseGet(() -> parts.deployedConfigs().apply(snapshot));
  }

  private SearchPlan searchPlan(
      Snapshot snapshot, AssembleRequest request, CompositionSettings compositionSettings) {
    Optional<CompiledConfig> deployed = deployedConfig(snapshot, request);
    MemoryView view = MemoryView.of(snapshot, memory);
    Trajectory own = view.trajectory(request.trajectory());
    Id trajectory = own.id();
    Optional<Id> current = currentScope(view, request).map(Scope::id);
    List<AncestorTrajectory> ancestors =
        AncestorTrajectory.ancestorsOf(
            visibleRecords(snapshot, request, compositionSettings),
            request,
            parts.runtime().pcp().contextDag());
    Optional<String> subject = otherSessionsSubject(snapshot, request, own, ancestors);
    return new SearchPlan(
        deployed,
        SectionRuleFactory.rulesFor(
            config(),
            deployed,
            injections(snapshot, trajectory, request.asOf()),
            subject.isPresent()),
        current,
        ancestors,
        usesSearch(request)
            ? CandidateSearch.searchableKinds(
                snapshot, trajectoryAndAncestors(trajectory, ancestors), current)
            : Set.of(),
        WindowSubjectFilter.subjectScope(request, own),
        subject,
        snapshot.epoch(),
        snapshot.sequence());
  }

  /**
   * Returns the trajectory's subject, if there is a query and the subject has other trajectories.
   */
  private Optional<String> otherSessionsSubject(
      Snapshot snapshot,
      AssembleRequest request,
      Trajectory own,
      List<AncestorTrajectory> ancestors) {
    List<Id> line = trajectoryAndAncestors(own.id(), ancestors);
    return own.labels()
        .subject()
        .filter(_ -> request.query().isPresent() && config().relevance().sessionLimit() > 0)
        .filter(
            subject ->
                snapshot
                    .first(
                        Query.over(Trajectory.TABLE, "subject", "created_at")
                            .equal(subject)
                            .where(task -> !line.contains(task.id())))
                    .isPresent());
  }

  /** Returns the injections by policies, until the requested time. */
  private List<MemoryInjection> injections(
      Snapshot snapshot, Id trajectory, Optional<Instant> asOf) {
    return snapshot
        .scan(
            Query.over(MemoryInjection.TABLE, "trajectory", "memory").equal(trajectory),
            memory.limits().pageSize())
        .records()
        .stream()
        .filter(made -> asOf.filter(made.createdAt()::isAfter).isEmpty())
        .toList();
  }

  /** Returns the current scope, or the last one that was open at the requested time. */
  private static Optional<Scope> currentScope(MemoryView view, AssembleRequest request) {
    return request
        .asOf()
        .map(at -> view.currentScope(request.trajectory(), at))
        .orElseGet(() -> view.currentScope(request.trajectory()));
  }

  private CandidateSearchResult search(
      SpaceId space, AssembleRequest request, SearchPlan searchPlan, Instant at) {
    CandidateSearch candidateSearch =
        new CandidateSearch(
            parts.search().orElseThrow(),
            space,
            searchPlan.trajectories(request.trajectory()),
            searchPlan.currentScope(),
            request.query().orElseThrow(),
            at,
            searchPlan.sequence(),
            searchPlan.visible(),
            searchPlan.subject());
    try {
      return candidateSearch.search(
          searchPlan.rules(), searchPlan.searchableKinds(), config().assembly().candidateLimit());
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
      return CandidateSearchResult.indexBehind(String.valueOf(e.getMessage()));
    }
  }

  private VisibleRecords visibleRecords(
      Snapshot snapshot, AssembleRequest request, CompositionSettings compositionSettings) {
    MemoryView view = MemoryView.of(snapshot, memory);
    return new VisibleRecords(
        snapshot,
        view,
        memory.limits().pageSize(),
        compositionSettings.at(),
        request.asOf().isPresent(),
        WindowSubjectFilter.of(snapshot, request, view.trajectory(request.trajectory())));
  }

  private WindowDraft draftFromSnapshot(
      Snapshot snapshot,
      AssembleRequest request,
      CompositionSettings compositionSettings,
      SearchPlan searchPlan,
      CandidateSearchResult candidateSearchResult) {
    VisibleRecords visibleRecords = visibleRecords(snapshot, request, compositionSettings);
    CandidateCollector.CollectionRequest collectionRequest =
        new CandidateCollector.CollectionRequest(
            request.trajectory(),
            searchPlan.currentScope(),
            searchPlan.ancestors(),
            request.query(),
            searchPlan.subject(),
            memory.recall().scanCandidates());
    CandidateCollector.CollectedCandidates collectedCandidates =
        new CandidateCollector(
                visibleRecords,
                config(),
                collectionRequest,
                candidateSearchResult,
                compositionSettings.trust().map(TrustFormatInput::rule))
            .collect(searchPlan.rules());
    CandidateCollector.CollectedCandidates all =
        withInstructions(compositionSettings, collectedCandidates);
    return new WindowDraft(
        compositionSettings.withConflicts(all.conflicts()).withSections(all.sections()),
        all.candidates(),
        searchPlan,
        candidateSearchResult,
        visibleRecords.visible().hiddenCount());
  }

  /** Adds the instructions at the front, if there are any. */
  private CandidateCollector.CollectedCandidates withInstructions(
      CompositionSettings compositionSettings,
      CandidateCollector.CollectedCandidates collectedCandidates) {
    if (compositionSettings.instructions().isBlank()) {
      return collectedCandidates;
    }
    WindowSection system = WindowSection.system(config().priorities().system());
    List<WindowSection> sections = new ArrayList<>(collectedCandidates.sections());
    sections.addFirst(system);
    List<CandidateContent> candidates = new ArrayList<>(collectedCandidates.candidates());
    candidates.add(
        InstructionsCandidate.contentOf(
            compositionSettings.instructions(), system.priority(), compositionSettings.at()));
    return new CandidateCollector.CollectedCandidates(
        candidates, sections, collectedCandidates.conflicts());
  }

  private CompositionSettings newSettings(
      AssembleRequest request, int budget, TokenCounter counter, Instant at) {
    ContextFormat format = request.format().orElse(config().assembly().format());
    return new CompositionSettings(
        CompositionSettings.COMPOSITION,
        budget,
        config().systemInstructions(),
        config().fillRatio(),
        request.query().isPresent() ? config().relevance().minimum() : 0,
        config().assembly().ranking(),
        config().assembly().shortening(),
        memory.text(),
        format,
        config().assembly().showDates(),
        counter.name(),
        config().bytesPerToken(),
        config().assembly().estimateMargin(),
        at,
        List.of(),
        request.dosage(),
        Optional.of(config().assembly().quality())
            .filter(QualitySettings::enabled)
            .map(QualitySettings::minimum),
        format == ContextFormat.TRUST
            ? Optional.of(TrustFormatInput.of(config().assembly().trust(), request.query()))
            : Optional.empty());
  }

  private static Window newWindow(
      AssembleRequest request,
      WindowDraft windowDraft,
      ComposedWindow composedWindow,
      Instant begun) {
    Window.WindowInputs windowInputs =
        new Window.WindowInputs(
            request.query(),
            request.model(),
            request.asOf(),
            windowDraft.plan().sequence(),
            windowDraft.plan().deployed().map(CompiledConfig::hash),
            windowDraft.searchResult().generations(),
            windowDraft.searchResult().degraded(),
            request.visible(),
            Optional.of(windowDraft.otherSubjects()).filter(count -> count > 0));
    String inputHash =
        windowInputs.hash(request.trajectory(), windowDraft.recipe(), composedWindow.ledger());
    return new Window(
        Id.derivedFrom("window", inputHash),
        request.trajectory(),
        windowInputs,
        windowDraft.recipe(),
        inputHash,
        textHash(composedWindow.text()),
        composedWindow.usedTokens(),
        composedWindow.frame(),
        composedWindow.sections(),
        composedWindow.ledger(),
        begun,
        Optional.empty());
  }

  private static String textHash(String text) {
    return FieldHash.hash("text", text);
  }

  /** Saves the window and its trace in one commit; an ephemeral window leaves only its trace. */
  private Window saveWindow(SpaceId space, AssembleRequest request, Window window, Instant begun) {
    if (request.dryRun()) {
      return window;
    }
    WindowPersistence windowPersistence = request.persistence().orElse(config().persistence());
    Duration duration = Duration.between(begun, parts.clock().instant());
    return store.write(
        space, transaction -> saveWindow(transaction, window, windowPersistence, duration));
  }

  private static Window saveWindow(
      Transaction transaction,
      Window window,
      WindowPersistence windowPersistence,
      Duration duration) {
    Window kept =
        switch (windowPersistence) {
          case WindowPersistence.EphemeralPersistence _ -> window;
          case WindowPersistence.DurationPersistence(var ttl) ->
              putWindow(transaction, window, Optional.of(window.assembledAt().plus(ttl)));
          case WindowPersistence.PermanentPersistence _ ->
              putWindow(transaction, window, Optional.empty());
        };
    traceEvents(transaction, kept, duration)
        .forEach(event -> transaction.append(TraceEvent.TABLE, event));
    return kept;
  }

  /** Saves the window; one that names a record forgotten meanwhile is returned unsaved. */
  private static Window putWindow(Transaction transaction, Window window, Optional<Instant> end) {
    Window kept = window.withExpiry(transaction.newId(), end);
    return WindowStorage.save(transaction, kept) ? kept : window;
  }

  /**
   * Returns the events for the assembly, its injections, and the numbers of notes and artifacts
   * read.
   */
  private static List<TraceEvent> traceEvents(
      Transaction transaction, Window window, Duration duration) {
    List<TraceEvent> events = new ArrayList<>();
    events.add(
        newTraceEvent(transaction, window, "context_assembled")
            .withDetail(tokenUsageText(window))
            .withDuration(duration));
    if (!window.sections().isEmpty()) {
      events.add(
          newTraceEvent(transaction, window, "context_injected")
              .withDetail(sectionCountsText(window))
              .withDuration(duration));
    }
    for (SourceKind kind : List.of(SourceKind.NOTE, SourceKind.ARTIFACT)) {
      long read = window.ledger().stream().filter(line -> line.candidate().kind() == kind).count();
      if (read > 0) {
        events.add(
            newTraceEvent(transaction, window, kind.lowerCaseName() + "_retrieved")
                .withDetail(Long.toString(read)));
      }
    }
    return events;
  }

  private static String tokenUsageText(Window window) {
    return "%d/%d tokens%s"
        .formatted(
            window.usedTokens(),
            window.maxTokens(),
            Stream.of(
                    window.inputs().degraded(),
                    window.inputs().subjects().map(WindowExplanation::namedSubjectsText))
                .flatMap(Optional::stream)
                .map(more -> "; " + more)
                .collect(Collectors.joining()));
  }

  private static String sectionCountsText(Window window) {
    return window.sections().stream()
        .map(section -> section.name() + " " + section.sources().size())
        .collect(Collectors.joining(", "));
  }

  private static TraceEvent newTraceEvent(Transaction transaction, Window window, String type) {
    return TraceEvent.of(
        transaction,
        type,
        EntityRef.of(EntityType.WINDOW, window.id()),
        Optional.of(window.trajectory()));
  }

  @Override
  public Window window(SpaceId space, Id id) {
    Instant now = parts.clock().instant();
    return store
        .read(space, snapshot -> snapshot.find(Window.TABLE, id))
        .filter(window -> window.isLive(now))
        .orElseThrow(() -> ContextException.unknownWindow(id));
  }

  @Override
  public List<Window> windows(SpaceId space, Id trajectory, int limit) {
    Instant now = parts.clock().instant();
    Query<Window> newest =
        Query.over(Window.TABLE, "trajectory", "assembled_at")
            .equal(trajectory)
            .descending()
            .where(window -> window.isLive(now));
    int most = Math.min(limit, memory.limits().pageSize());
    return store.read(space, snapshot -> snapshot.list(newest, most));
  }

  @Override
  public String replay(SpaceId space, Window window) {
    CompositionSettings compositionSettings = window.recipe();
    if (compositionSettings.composition() != CompositionSettings.COMPOSITION) {
      throw ContextException.otherCompositionVersion(compositionSettings.composition());
    }
    TokenCounter counter =
        namedCounter(
            compositionSettings.counter(),
            compositionSettings.bytesPerToken(),
            compositionSettings.margin());
    List<CandidateContent> contents = loadContents(space, window, window.ledger());
    String text =
        WindowComposer.compose(compositionSettings, contents, counter, tokenCountCache).text();
    if (!textHash(text).equals(window.textHash())) {
      throw ContextException.replayDiffers(window.id());
    }
    return text;
  }

  @Override
  public WindowDiff diff(SpaceId space, Window window, Window other) {
    return store.read(space, snapshot -> WindowDiff.between(window, other, snapshot));
  }

  @Override
  public AssembledWindow applyLimits(
      SpaceId space, Window window, WindowLimits limits, WindowPersistence windowPersistence) {
    if (window.isWithin(limits)
        && window.recipe().composition() == CompositionSettings.COMPOSITION) {
      return new AssembledWindow(window, replay(space, window));
    }
    Instant begun = parts.clock().instant();
    CompositionSettings compositionSettings = window.recipe().withLimits(limits);
    TokenCounter counter =
        namedCounter(
            compositionSettings.counter(),
            compositionSettings.bytesPerToken(),
            compositionSettings.margin());
    ComposedWindow composedWindow =
        WindowComposer.compose(
            compositionSettings,
            loadContents(space, window, window.ledger()),
            counter,
            tokenCountCache);
    Window dosed =
        window.withComposition(
            compositionSettings, composedWindow, textHash(composedWindow.text()), begun);
    AssembleRequest request =
        AssembleRequest.of(window.trajectory()).withPersistence(windowPersistence);
    return new AssembledWindow(saveWindow(space, request, dosed, begun), composedWindow.text());
  }

  private List<CandidateContent> loadContents(
      SpaceId space, Window window, List<LedgerLine> lines) {
    return store.read(
        space,
        snapshot -> {
          LedgerLineTextLoader ledgerLineTextLoader =
              new LedgerLineTextLoader(MemoryView.of(snapshot, memory), snapshot, window.recipe());
          return lines.stream()
              .map(line -> ledgerLineTextLoader.loadContent(line.candidate()))
              .toList();
        });
  }

  @Override
  public AnswerAnnotation annotate(SpaceId space, Window window, String answer) {
    checkSize("answer", "turn", memory.limits().turn(), answer);
    List<LedgerLine> shown =
        window.ledger().stream().filter(line -> line.decision().isIncluded()).toList();
    List<CandidateContent> contents = loadContents(space, window, shown);
    return new AnswerAnnotator(config().assembly().claimWordOverlap())
        .annotate(window, contents, noteConflicts(space, shown), answer);
  }

  /** Returns the pairs of shown notes that are known to contradict each other, each once. */
  private List<AnswerAnnotation.ConflictingRecords> noteConflicts(
      SpaceId space, List<LedgerLine> shown) {
    List<LedgerLine> notes =
        shown.stream().filter(line -> line.candidate().kind() == SourceKind.NOTE).toList();
    return store.read(
        space,
        snapshot ->
            notes.stream()
                .flatMap(
                    line ->
                        snapshot.find(Note.TABLE, line.candidate().id()).stream()
                            .flatMap(note -> noteConflicts(line, note, notes)))
                .toList());
  }

  private static Stream<AnswerAnnotation.ConflictingRecords> noteConflicts(
      LedgerLine line, Note note, List<LedgerLine> notes) {
    return notes.stream()
        .filter(other -> other.number() > line.number())
        .filter(other -> note.conflictsWith().contains(other.candidate().id()))
        .map(
            other ->
                new AnswerAnnotation.ConflictingRecords(
                    AnswerAnnotator.citedRecord(line), AnswerAnnotator.citedRecord(other)));
  }
}
