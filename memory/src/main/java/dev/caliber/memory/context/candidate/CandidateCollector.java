package dev.caliber.memory.context.candidate;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.ContextConfig;
import dev.caliber.kernel.config.InjectionMode;
import dev.caliber.kernel.config.TrustSettings;
import dev.caliber.memory.context.window.Candidate;
import dev.caliber.memory.context.window.CandidateLimit;
import dev.caliber.memory.context.window.CandidateScores;
import dev.caliber.memory.context.window.KnownNoteConflicts;
import dev.caliber.memory.context.window.OmittedCandidates;
import dev.caliber.memory.context.window.SourceKind;
import dev.caliber.memory.context.window.WindowSection;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.record.TurnPart;
import dev.caliber.memory.record.TurnRole;
import dev.caliber.store.Query;
import dev.caliber.store.Table;
import dev.caliber.store.search.SearchHit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Reads the candidates of every rule from one snapshot. */
public final class CandidateCollector {
  private final VisibleRecords visibleRecords;
  private final ContextConfig config;
  private final CollectionRequest request;
  private final CandidateSearchResult searchResult;
  private final SourceQualityScorer sourceQualityScorer;
  private final SourceTrustScorer sourceTrustScorer;
  private final Optional<NoteConflictFinder> conflicts;
  private final List<CandidateContent> candidates = new ArrayList<>();
  private final Set<String> taken = new HashSet<>();

  /**
   * Inputs of the collection.
   *
   * @param currentScope the current scope
   * @param ancestors trajectories above this one whose records the window may show
   * @param subject the subject whose other sessions the window may show
   * @param wordRankLimit without an index: number of the newest records that are ranked by their
   *     words
   */
  public record CollectionRequest(
      Id trajectory,
      Optional<Id> currentScope,
      List<AncestorTrajectory> ancestors,
      Optional<String> query,
      Optional<String> subject,
      int wordRankLimit) {}

  /**
   * @param trust the rule of trust, if the window's format shows trust
   */
  public CandidateCollector(
      VisibleRecords visibleRecords,
      ContextConfig config,
      CollectionRequest collectionRequest,
      CandidateSearchResult candidateSearchResult,
      Optional<TrustSettings> trust) {
    this.visibleRecords = visibleRecords;
    this.config = config;
    this.request = collectionRequest;
    this.searchResult = candidateSearchResult;
    this.sourceQualityScorer =
        new SourceQualityScorer(
            config.assembly().quality(), config.relevance().defaultScore(), visibleRecords.at());
    this.sourceTrustScorer = new SourceTrustScorer(trust, visibleRecords);
    this.conflicts = trust.map(NoteConflictFinder::new);
  }

  /** Candidates, their sections, and the known conflicts between notes. */
  public record CollectedCandidates(
      List<CandidateContent> candidates,
      List<WindowSection> sections,
      KnownNoteConflicts conflicts) {
    public CollectedCandidates {
      candidates = List.copyOf(candidates);
      sections = List.copyOf(sections);
    }
  }

  public CollectedCandidates collect(List<SectionRule> rules) {
    List<WindowSection> sections =
        rules.stream()
            .map(sectionRule -> sectionRule.section().withOmitted(addCandidates(sectionRule)))
            .toList();
    return new CollectedCandidates(
        candidates,
        sections,
        conflicts.map(NoteConflictFinder::findConflicts).orElse(KnownNoteConflicts.NOTHING));
  }

  /** Adds the rule's candidates; returns the number beyond its limit. */
  private OmittedCandidates addCandidates(SectionRule sectionRule) {
    return switch (sectionRule.section().kind()) {
      case TURN ->
          sectionRule.otherSessions() ? addOtherSessions(sectionRule) : addTurns(sectionRule);
      case ARTIFACT -> addArtifacts(sectionRule);
      case NOTE -> addNotes(sectionRule);
      case SCOPE -> addScopes(sectionRule);
      case TRAJECTORY -> addOwnTrajectory(sectionRule);
      case SYSTEM -> OmittedCandidates.NONE;
    };
  }

  private RecordFilter filter(SectionRule sectionRule) {
    return new RecordFilter(sectionRule.filter(), visibleRecords.at(), request.trajectory());
  }

  /** Returns the limit of a rule that takes the newest records. */
  private CandidateLimit newestLimit(SectionRule sectionRule) {
    int most = config.assembly().candidateLimit();
    return switch (sectionRule.mode()) {
      case InjectionMode.TopKInjection(var count) -> CandidateLimit.ofRule(count, most);
      case InjectionMode.RelevantInjection _ ->
          CandidateLimit.of(
              config.relevance().recencyLimit(), "context.relevance.recency-limit", most);
      case InjectionMode.FullInjection _, InjectionMode.SummaryInjection _ ->
          CandidateLimit.ofTotalLimit(most);
    };
  }

  /**
   * Counts the records beyond the limit of a rule that takes the newest.
   *
   * @param range all records of the rule, shown or not, if they are one range of an index
   */
  private OmittedCandidates omittedCandidates(
      SectionRule sectionRule, CandidateLimit cap, int seen, int beyond, Optional<Query<?>> range) {
    if (cap.setting().isEmpty() || seen < cap.readLimit(sectionRule.lookAhead())) {
      return OmittedCandidates.exactly(beyond, cap);
    }
    return range
        .filter(_ -> sectionRule.filter().isEmpty())
        .map(
            rows ->
                OmittedCandidates.between(
                    beyond, visibleRecords.snapshot().count(rows) - cap.records(), cap))
        .orElseGet(() -> OmittedCandidates.atLeast(beyond, cap));
  }

  private static int countBeyond(CandidateLimit cap, int seen) {
    return Math.max(0, seen - cap.records());
  }

  private boolean usesSearch(SectionRule sectionRule) {
    return sectionRule.isByRelevance() && request.query().isPresent();
  }

  private double relevanceThreshold(SectionRule sectionRule) {
    return sectionRule.mode() instanceof InjectionMode.RelevantInjection(var least) ? least : 0;
  }

  private OmittedCandidates addTurns(SectionRule sectionRule) {
    if (!usesSearch(sectionRule)) {
      return sectionRule.withoutQuery() ? addDialogue(sectionRule) : OmittedCandidates.NONE;
    }
    RecordFilter filter = filter(sectionRule);
    ScoredHits<Turn> scoredHits =
        searchResult.searched()
            ? rankedHits(
                sectionRule,
                Turn.TABLE,
                turn -> Optional.of(turn).filter(visibleRecords::isShown).filter(filter::matches))
            : rankByWords(
                sectionRule,
                limit -> visibleRecords.turnsOfTrajectory(request.trajectory(), filter, limit),
                Turn::searchableText);
    List<Turn> all =
        withToolPairs(scoredHits.records().stream().map(ScoredRecord::record).toList());
    ToolCallBundles toolCallBundles = ToolCallBundles.of(all);
    scoredHits
        .topRecords()
        .forEach(
            hit ->
                addTurnBundle(
                    sectionRule,
                    toolCallBundles.bundledTurns(hit.record(), all),
                    hit.scores(),
                    toolCallBundles));
    return scoredHits.omitted();
  }

  /** Adds turns of the subject's other sessions, each with the name of its session. */
  private OmittedCandidates addOtherSessions(SectionRule sectionRule) {
    Set<Id> own = new HashSet<>(List.of(request.trajectory()));
    request.ancestors().forEach(ancestorTrajectory -> own.add(ancestorTrajectory.trajectory()));
    String subject = request.subject().orElseThrow();
    ScoredHits<Turn> scoredHits =
        searchResult.searched()
            ? rankedHits(
                sectionRule,
                searchResult.sessionHits(),
                Turn.TABLE,
                turn ->
                    Optional.of(turn).filter(said -> visibleRecords.isFromOtherSession(said, own)),
                searchResult.sessionHits().size() > sectionRule.limit().records())
            : rankByWords(
                sectionRule,
                limit -> visibleRecords.turnsOfOtherSessions(subject, own, limit),
                Turn::searchableText);
    scoredHits
        .topRecords()
        .forEach(hit -> addOtherSessionTurn(sectionRule, hit.record(), hit.scores()));
    return scoredHits.omitted();
  }

  private void addOtherSessionTurn(
      SectionRule sectionRule, Turn turn, CandidateScores candidateScores) {
    visibleRecords
        .find(Trajectory.TABLE, turn.trajectory())
        .map(session -> RecordBodyFactory.bodyOfOtherSession(turn, session))
        .ifPresent(
            recordBody ->
                addContent(
                    newContent(
                        sectionRule,
                        turn,
                        candidateScores,
                        Optional.empty(),
                        sectionRule.section().priority(),
                        recordBody)));
  }

  /** Adds turns of one bundle; if an earlier rule has taken one of them, it has taken all. */
  private void addTurnBundle(
      SectionRule sectionRule,
      List<Turn> together,
      CandidateScores candidateScores,
      ToolCallBundles toolCallBundles) {
    if (together.stream().noneMatch(turn -> taken.contains(key(SourceKind.TURN, turn.id())))) {
      int priority = sectionRule.section().priority();
      together.forEach(
          turn ->
              addContent(
                  newContent(sectionRule, turn, candidateScores, toolCallBundles, priority)));
    }
  }

  /** Adds the current conversation; the last user turn has the highest priority. */
  private OmittedCandidates addDialogue(SectionRule sectionRule) {
    CandidateLimit cap = newestLimit(sectionRule);
    boolean full = sectionRule.mode() instanceof InjectionMode.FullInjection;
    List<Turn> seen =
        full
            ? request
                .currentScope()
                .map(
                    scope ->
                        visibleRecords.conversation(
                            scope, filter(sectionRule), cap.readLimit(sectionRule.lookAhead())))
                .orElse(List.of())
            : visibleRecords.turnsOfTrajectory(
                request.trajectory(), filter(sectionRule), cap.readLimit(sectionRule.lookAhead()));
    List<Turn> turns = cap.firstRecords(seen);
    List<Turn> all = withToolCounterparts(turns);
    ToolCallBundles toolCallBundles = ToolCallBundles.of(all);
    Optional<Turn> said = turns.stream().filter(turn -> turn.role() == TurnRole.USER).findFirst();
    for (Turn turn : all) {
      int priority =
          said.filter(turn::equals).isPresent()
              ? userPriority(sectionRule)
              : sectionRule.section().priority();
      addContent(
          newContent(sectionRule, turn, CandidateScores.of(1, 1), toolCallBundles, priority));
    }
    long beyond = seen.stream().skip(turns.size()).filter(turn -> !all.contains(turn)).count();
    return omittedCandidates(
        sectionRule,
        cap,
        seen.size(),
        (int) beyond,
        full ? currentScopeTurns() : trajectoryTurns());
  }

  private int userPriority(SectionRule sectionRule) {
    return Math.max(sectionRule.section().priority(), config.priorities().user());
  }

  /** Returns the turns of the current scope, unless it continues another conversation. */
  private Optional<Query<?>> currentScopeTurns() {
    return request
        .currentScope()
        .flatMap(scope -> visibleRecords.find(Scope.TABLE, scope))
        .filter(scope -> scope.continues().isEmpty())
        .map(scope -> Query.over(Turn.TABLE, "scope", "sequence").equal(scope.id()));
  }

  private Optional<Query<?>> trajectoryTurns() {
    return Optional.of(
        Query.over(Turn.TABLE, "trajectory", "position").equal(request.trajectory()));
  }

  /** Returns the records of the trajectory in a table, unless it has ancestors. */
  private Optional<Query<?>> trajectoryRecords(Table<?> table, String order) {
    return request.ancestors().isEmpty()
        ? Optional.of(Query.over(table, "trajectory", order).equal(request.trajectory()))
        : Optional.empty();
  }

  /** Adds the other half of tool calls and results that are elsewhere. */
  private List<Turn> withToolCounterparts(List<Turn> turns) {
    ToolCallBundles toolCallBundles = ToolCallBundles.of(turns);
    List<Turn> torn =
        turns.stream()
            .filter(
                turn ->
                    toolCallBundles
                        .bundleOf(turn)
                        .filter(ToolCallBundles::isIncomplete)
                        .isPresent())
            .toList();
    return Stream.concat(turns.stream(), withToolPairs(torn).stream()).distinct().toList();
  }

  /** Adds the turns of related tool calls and results, transitively. */
  private List<Turn> withToolPairs(List<Turn> turns) {
    Set<Turn> all = new LinkedHashSet<>(turns);
    Deque<Turn> open = new ArrayDeque<>(turns);
    while (!open.isEmpty()) {
      toolPair(open.removeFirst()).stream().filter(all::add).forEach(open::addLast);
    }
    return List.copyOf(all);
  }

  private Collection<Turn> toolPair(Turn turn) {
    Set<Turn> all = new LinkedHashSet<>(List.of(turn));
    for (TurnPart turnPart : turn.parts()) {
      toolCallId(turnPart)
          .flatMap(call -> findToolExchange(turn, call))
          .ifPresent(
              exchange ->
                  Stream.concat(Stream.of(exchange.callTurn()), exchange.resultTurn().stream())
                      .flatMap(id -> visibleRecords.find(Turn.TABLE, id).stream())
                      .filter(this::isInConversation)
                      .forEach(all::add));
    }
    return all;
  }

  /**
   * Returns the exchange of this trajectory, or else of the turn's trajectory, which this one may
   * continue.
   */
  private Optional<ToolExchange> findToolExchange(Turn turn, String call) {
    return visibleRecords
        .view()
        .toolExchange(request.trajectory(), call)
        .filter(own -> own.involvesTurn(turn.id()))
        .or(() -> visibleRecords.view().toolExchange(turn.trajectory(), call));
  }

  private boolean isInConversation(Turn turn) {
    return turn.trajectory().equals(request.trajectory())
        ? visibleRecords.isShown(turn)
        : visibleRecords.isContinued(turn, request.currentScope());
  }

  private static Optional<String> toolCallId(TurnPart turnPart) {
    return switch (turnPart) {
      case TurnPart.ToolCallPart(var call, _, _) -> Optional.of(call);
      case TurnPart.ToolResultPart(var call, _, _) -> Optional.of(call);
      case TurnPart.TextPart _, TurnPart.DataPart _ -> Optional.empty();
    };
  }

  private CandidateContent newContent(
      SectionRule sectionRule,
      Turn turn,
      CandidateScores candidateScores,
      ToolCallBundles toolCallBundles,
      int priority) {
    return newContent(
        sectionRule,
        turn,
        candidateScores,
        toolCallBundles.bundleOf(turn),
        priority,
        RecordBodyFactory.bodyOf(turn));
  }

  private CandidateContent newContent(
      SectionRule sectionRule,
      Turn turn,
      CandidateScores candidateScores,
      Optional<String> bundle,
      int priority,
      RecordBody recordBody) {
    return new CandidateContent(
        new Candidate(
            SourceKind.TURN,
            turn.id(),
            0,
            sectionRule.section().name(),
            priority,
            sourceTrustScorer.addTrust(turn, candidateScores),
            turn.createdAt(),
            turn.position(),
            turn.scope().toString(),
            bundle,
            recordBody.hash()),
        recordBody);
  }

  private OmittedCandidates addArtifacts(SectionRule sectionRule) {
    RecordFilter filter = filter(sectionRule);
    if (!usesSearch(sectionRule)) {
      CandidateLimit cap = newestLimit(sectionRule);
      List<Artifact> seen = visibleArtifacts(filter, cap.readLimit(sectionRule.lookAhead()));
      cap.firstRecords(seen)
          .forEach(made -> addArtifact(sectionRule, made, scores(SourceKind.ARTIFACT, made.id())));
      int beyond = countBeyond(cap, seen.size());
      return omittedCandidates(
          sectionRule, cap, seen.size(), beyond, trajectoryRecords(Artifact.TABLE, "created_at"));
    }
    ScoredHits<Artifact> scoredHits =
        searchResult.searched()
            ? rankedHits(
                sectionRule,
                Artifact.TABLE,
                made ->
                    Optional.of(made)
                        .filter(
                            found ->
                                recordsSeenIn(found.trajectory()).anyMatch(at -> at.isShown(found)))
                        .filter(filter::matches))
            : rankByWords(
                sectionRule,
                most -> visibleArtifacts(filter, most),
                made -> RecordBodyFactory.bodyOf(made).plainText());
    scoredHits.topRecords().forEach(made -> addArtifact(sectionRule, made.record(), made.scores()));
    return scoredHits.omitted();
  }

  /**
   * Returns the view on the records of a trajectory; empty unless it is this one or an ancestor.
   */
  private Stream<VisibleRecords> recordsSeenIn(Id trajectory) {
    return trajectory.equals(request.trajectory())
        ? Stream.of(visibleRecords)
        : request.ancestors().stream()
            .filter(ancestorTrajectory -> ancestorTrajectory.trajectory().equals(trajectory))
            .map(ancestorTrajectory -> ancestorTrajectory.asOfFork(visibleRecords));
  }

  /** Returns those of the trajectory, then those of its ancestors. */
  private List<Artifact> visibleArtifacts(RecordFilter filter, int limit) {
    List<Artifact> all =
        new ArrayList<>(visibleRecords.artifacts(request.trajectory(), filter, limit));
    for (AncestorTrajectory ancestorTrajectory : request.ancestors()) {
      all.addAll(
          ancestorTrajectory
              .asOfFork(visibleRecords)
              .artifacts(ancestorTrajectory.trajectory(), filter, Math.max(0, limit - all.size())));
    }
    return all;
  }

  private void addArtifact(SectionRule sectionRule, Artifact made, CandidateScores found) {
    CandidateScores candidateScores =
        sourceTrustScorer.addTrust(made, sourceQualityScorer.addQuality(made, found));
    RecordBody recordBody = RecordBodyFactory.bodyOf(made);
    addContent(
        new CandidateContent(
            new Candidate(
                SourceKind.ARTIFACT,
                made.id(),
                0,
                sectionRule.section().name(),
                sectionRule.section().priority(),
                candidateScores,
                made.createdAt(),
                0,
                made.type().name(),
                Optional.empty(),
                recordBody.hash()),
            recordBody));
  }

  private OmittedCandidates addNotes(SectionRule sectionRule) {
    RecordFilter filter = filter(sectionRule);
    if (!usesSearch(sectionRule)) {
      CandidateLimit cap = newestLimit(sectionRule);
      List<Note> seen = visibleRecords.notes(filter, cap.readLimit(sectionRule.lookAhead()));
      cap.firstRecords(seen).forEach(note -> addNote(sectionRule, note, CandidateScores.of(1, 1)));
      return omittedCandidates(
          sectionRule, cap, seen.size(), countBeyond(cap, seen.size()), Optional.empty());
    }
    if (searchResult.searched()) {
      visibleRecords.countOtherNotes(sectionRule.limit().records());
    }
    ScoredHits<Note> scoredHits =
        searchResult.searched()
            ? rankedHits(
                sectionRule,
                Note.TABLE,
                note -> visibleRecords.visibleNote(note).filter(filter::matches))
            : rankByWords(sectionRule, limit -> visibleRecords.notes(filter, limit), Note::content);
    scoredHits.topRecords().forEach(note -> addNote(sectionRule, note.record(), note.scores()));
    return scoredHits.omitted();
  }

  private void addNote(SectionRule sectionRule, Note note, CandidateScores found) {
    CandidateScores candidateScores =
        sourceTrustScorer.addTrust(note, sourceQualityScorer.addQuality(note, found));
    conflicts.ifPresent(known -> known.addNote(note, candidateScores.trust().orElseThrow()));
    RecordBody recordBody = RecordBodyFactory.bodyOf(note);
    addContent(
        new CandidateContent(
            new Candidate(
                SourceKind.NOTE,
                note.id(),
                note.version(),
                sectionRule.section().name(),
                sectionRule.section().priority(),
                candidateScores,
                note.recordedAt(),
                0,
                note.entity(),
                Optional.empty(),
                recordBody.hash()),
            recordBody));
  }

  private OmittedCandidates addScopes(SectionRule sectionRule) {
    RecordFilter filter = filter(sectionRule);
    Set<Id> conversation = visibleRecords.conversationScopes(request.currentScope());
    if (!usesSearch(sectionRule)) {
      CandidateLimit cap = newestLimit(sectionRule);
      List<Scope> seen =
          visibleScopes(filter, conversation, cap.readLimit(sectionRule.lookAhead()));
      cap.firstRecords(seen)
          .forEach(scope -> addScope(sectionRule, scope, scores(SourceKind.SCOPE, scope.id())));
      int beyond = countBeyond(cap, seen.size());
      return omittedCandidates(
          sectionRule, cap, seen.size(), beyond, trajectoryRecords(Scope.TABLE, "sequence"));
    }
    ScoredHits<Scope> scoredHits =
        searchResult.searched()
            ? rankedHits(
                sectionRule,
                Scope.TABLE,
                scope ->
                    Optional.of(scope)
                        .filter(found -> !conversation.contains(found.id()))
                        .flatMap(
                            found ->
                                recordsSeenIn(found.trajectory())
                                    .flatMap(at -> at.visibleScope(found).stream())
                                    .findFirst())
                        .filter(filter::matches))
            : rankByWords(
                sectionRule,
                limit -> visibleScopes(filter, conversation, limit),
                CandidateCollector::summaryText);
    scoredHits.topRecords().forEach(scope -> addScope(sectionRule, scope.record(), scope.scores()));
    return scoredHits.omitted();
  }

  /** Returns those of the trajectory, then those of its ancestors. */
  private List<Scope> visibleScopes(RecordFilter filter, Set<Id> conversation, int limit) {
    List<Scope> all =
        new ArrayList<>(visibleRecords.scopes(request.trajectory(), filter, conversation, limit));
    for (AncestorTrajectory ancestorTrajectory : request.ancestors()) {
      int left = Math.max(0, limit - all.size());
      all.addAll(
          ancestorTrajectory
              .asOfFork(visibleRecords)
              .scopes(ancestorTrajectory.trajectory(), filter, conversation, left));
    }
    return all;
  }

  private static String summaryText(Scope scope) {
    return RecordBodyFactory.bodyOf(scope).map(RecordBody::plainText).orElse("");
  }

  private void addScope(SectionRule sectionRule, Scope scope, CandidateScores candidateScores) {
    RecordBodyFactory.bodyOf(scope)
        .ifPresent(
            recordBody -> addContent(newContent(sectionRule, scope, candidateScores, recordBody)));
  }

  private CandidateContent newContent(
      SectionRule sectionRule,
      Scope scope,
      CandidateScores candidateScores,
      RecordBody recordBody) {
    return new CandidateContent(
        new Candidate(
            SourceKind.SCOPE,
            scope.id(),
            0,
            sectionRule.section().name(),
            sectionRule.section().priority(),
            sourceTrustScorer.addTrust(scope, candidateScores),
            scope.closedAt().orElse(scope.openedAt()),
            scope.sequence(),
            "scope",
            Optional.empty(),
            recordBody.hash()),
        recordBody);
  }

  private OmittedCandidates addOwnTrajectory(SectionRule sectionRule) {
    visibleRecords
        .trajectory(request.trajectory())
        .filter(filter(sectionRule)::matches)
        .ifPresent(own -> addTrajectory(sectionRule, own));
    return OmittedCandidates.NONE;
  }

  private void addTrajectory(SectionRule sectionRule, Trajectory own) {
    RecordBody recordBody = RecordBodyFactory.bodyOf(own);
    addContent(
        new CandidateContent(
            new Candidate(
                SourceKind.TRAJECTORY,
                own.id(),
                0,
                sectionRule.section().name(),
                sectionRule.section().priority(),
                sourceTrustScorer.addTrust(own, defaultScores()),
                own.createdAt(),
                0,
                "trajectory",
                Optional.empty(),
                recordBody.hash()),
            recordBody));
  }

  /** Adds a candidate; a record offered by two rules belongs to the first. */
  private void addContent(CandidateContent candidateContent) {
    if (taken.add(key(candidateContent.candidate().kind(), candidateContent.candidate().id()))) {
      candidates.add(candidateContent);
    }
  }

  private static String key(SourceKind kind, Id id) {
    return kind + " " + id;
  }

  private record ScoredRecord<T>(T record, CandidateScores scores) {}

  /**
   * Search hits that may be shown.
   *
   * @param records best first
   * @param limit the number offered
   * @param unseenBeyond the limit at which the search stopped, if it did
   */
  private record ScoredHits<T>(
      List<ScoredRecord<T>> records, CandidateLimit limit, Optional<CandidateLimit> unseenBeyond) {
    List<ScoredRecord<T>> topRecords() {
      return limit.firstRecords(records);
    }

    OmittedCandidates omitted() {
      int more = countBeyond(limit, records.size());
      if (unseenBeyond.isEmpty()) {
        return OmittedCandidates.exactly(more, limit);
      }
      return OmittedCandidates.atLeast(more, more == 0 ? unseenBeyond.get() : limit);
    }
  }

  private <T> ScoredHits<T> rankedHits(
      SectionRule sectionRule, Table<T> table, Function<T, Optional<T>> shown) {
    SourceKind kind = sectionRule.section().kind();
    return rankedHits(
        sectionRule,
        searchResult.hitsOf(kind),
        table,
        shown,
        searchResult.truncatedKinds().contains(kind));
  }

  private <T> ScoredHits<T> rankedHits(
      SectionRule sectionRule,
      List<SearchHit> brought,
      Table<T> table,
      Function<T, Optional<T>> shown,
      boolean cut) {
    List<ScoredRecord<T>> all =
        brought.stream()
            .map(hit -> new ScoredRecord<>(hit, scores(hit)))
            .filter(hit -> hit.scores().relevance() >= relevanceThreshold(sectionRule))
            .flatMap(
                hit ->
                    visibleRecords
                        .find(table, hit.record().key())
                        .flatMap(shown)
                        .map(record -> new ScoredRecord<>(record, hit.scores()))
                        .stream())
            .toList();
    CandidateLimit searched =
        sectionRule.filter().isEmpty()
            ? sectionRule.limit()
            : CandidateLimit.ofTotalLimit(config.assembly().candidateLimit());
    return new ScoredHits<>(
        all, sectionRule.limit(), cut ? Optional.of(searched) : Optional.empty());
  }

  private <T> ScoredHits<T> rankByWords(
      SectionRule sectionRule, IntFunction<List<T>> newest, Function<T, String> words) {
    List<T> seen = newest.apply(request.wordRankLimit());
    List<ScoredRecord<T>> all =
        WordScoredRecord.rankByWords(request.query().orElseThrow(), seen, words).stream()
            .filter(ranked -> config.relevance().defaultScore() >= relevanceThreshold(sectionRule))
            .map(
                ranked ->
                    new ScoredRecord<>(
                        ranked.record(),
                        CandidateScores.of(ranked.score(), config.relevance().defaultScore())))
            .toList();
    CandidateLimit looked =
        new CandidateLimit(request.wordRankLimit(), Optional.of("memory.recall.scan-candidates"));
    return new ScoredHits<>(
        all,
        sectionRule.limit(),
        seen.size() < request.wordRankLimit() ? Optional.empty() : Optional.of(looked));
  }

  /** Returns the scores of a record that was not searched for; it may still be a hit. */
  private CandidateScores scores(SourceKind kind, Id id) {
    return searchResult.findHit(kind, id).map(this::scores).orElseGet(this::defaultScores);
  }

  private CandidateScores scores(SearchHit hit) {
    return new CandidateScores(
        hit.score(),
        hit.similarity().orElse(config.relevance().defaultScore()),
        hit.channels(),
        Optional.empty(),
        Optional.empty());
  }

  private CandidateScores defaultScores() {
    return request.query().isPresent()
        ? CandidateScores.of(0, config.relevance().defaultScore())
        : CandidateScores.of(1, 1);
  }
}
