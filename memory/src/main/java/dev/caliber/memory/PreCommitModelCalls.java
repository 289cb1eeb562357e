package dev.caliber.memory;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import dev.caliber.kernel.SpaceId;
import dev.caliber.kernel.config.PolicyAction;
import dev.caliber.memory.command.CloseScope;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.EndTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.RecallFilter;
import dev.caliber.memory.command.SupersedeNote;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.commit.LearnFromTurnsHandler;
import dev.caliber.memory.commit.NoteHandler;
import dev.caliber.memory.commit.PreCommitModelResults;
import dev.caliber.memory.commit.RuleBasedExtraction;
import dev.caliber.memory.forget.ForgetTargetFinder;
import dev.caliber.memory.policy.PolicyStepTarget;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.MemoryKind;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.spi.ContradictionJudge;
import dev.caliber.memory.spi.ContradictionJudgement;
import dev.caliber.memory.spi.ExtractionResult;
import dev.caliber.memory.spi.KnowledgeExtractor;
import dev.caliber.memory.spi.Passage;
import dev.caliber.memory.spi.Summarizer;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.view.InputLimits;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls summarizer, extractor and judge before a commit, never inside one. Their input is read from
 * one snapshot; the commit uses a result only if it would read exactly the same input.
 */
final class PreCommitModelCalls {
  private static final Logger LOG = LoggerFactory.getLogger(PreCommitModelCalls.class);
  private static final String FALLBACK = Summary.EXTRACTIVE + " (the summarizer failed)";

  private final RecordStore store;
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final RuleBasedExtraction ruleBasedExtraction;

  PreCommitModelCalls(
      RecordStore store,
      MemoryConfig config,
      MemoryDependencies parts,
      RuleBasedExtraction ruleBasedExtraction) {
    this.store = store;
    this.config = config;
    this.parts = parts;
    this.ruleBasedExtraction = ruleBasedExtraction;
  }

  /** Prepares a command. */
  PreCommitModelResults runForCommand(SpaceId space, Command<?> command) {
    return switch (command) {
      case CloseScope close ->
          prepareAll(space, view -> openScopeInput(view, view.scope(close.scope())));
      case EndTrajectory end ->
          prepareAll(
              space,
              view ->
                  view.openScopes(end.trajectory()).stream()
                      .flatMap(scope -> openScopeInput(view, scope)));
      case LearnFromTurns learn -> extractStatements(space, learn);
      case WriteNote note -> judgeNote(space, note, Optional.empty());
      case SupersedeNote supersede ->
          judgeNote(space, supersede.successor(), Optional.of(supersede.old()));
      case ForgetRecords forgetRecords ->
          forgetRecords
              .broadFilter()
              .map(filter -> PreCommitModelResults.of(matchingRecords(space, filter)))
              .orElse(PreCommitModelResults.NOTHING);
      default -> PreCommitModelResults.NOTHING; // the others need no model
    };
  }

  /** Returns the newest matching records of each kind; the list may be cut at the limit. */
  List<EntityRef> matchingRecords(SpaceId space, RecallFilter filter) {
    int most = Math.max(config.limits().list(), config.limits().batch() + 1);
    return store.read(
        space,
        snapshot ->
            new ForgetTargetFinder(MemoryView.of(snapshot, config), most)
                .resolve(ForgetRecords.matching(filter))
                .records());
  }

  /** Asks the judge about the notes with other text, except the note that is superseded. */
  private PreCommitModelResults judgeNote(SpaceId space, WriteNote note, Optional<Id> old) {
    if (parts.judge().isEmpty()) {
      return PreCommitModelResults.NOTHING;
    }
    new InputLimits(config.limits()).check(note);
    List<Passage> known =
        store
            .read(
                space,
                snapshot ->
                    NoteHandler.mergeCandidates(MemoryView.of(snapshot, config), config, note))
            .stream()
            .filter(other -> !other.content().equals(note.content()))
            .filter(other -> !old.equals(Optional.of(other.id())))
            .filter(other -> other.valid().overlaps(note.valid()))
            .map(RuleBasedExtraction::notePassage)
            .toList();
    return known.isEmpty()
        ? PreCommitModelResults.NOTHING
        : new PreCommitModelResults(
            Map.of(),
            Map.of(),
            Optional.of(
                new PreCommitModelResults.PreCommitModelResult<>(
                    known, askJudge(space, parts.judge().get(), note.content(), known))),
            Optional.empty());
  }

  private static Optional<ContradictionJudgement> askJudge(
      SpaceId space, ContradictionJudge judge, String later, List<Passage> earlier) {
    try {
      return Optional.of(judge.judge(later, earlier));
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: the model that checks for contradictions (models.chat.contradiction-check) failed, rules checked instead. Cause: {}",
          space,
          errorName(e));
      return Optional.empty();
    }
  }

  private PreCommitModelResults extractStatements(SpaceId space, LearnFromTurns command) {
    return prepare(
        space,
        view -> {
          List<Passage> said =
              ruleBasedExtraction.turnPassages(LearnFromTurnsHandler.userTurns(view, command));
          return said.isEmpty()
              ? Stream.empty()
              : Stream.of(new ModelInput(command.turns().getFirst(), said));
        },
        Optional.empty(),
        parts.extractor());
  }

  private PreCommitModelResults prepareAll(SpaceId space, ModelInputReader modelInputReader) {
    return prepare(space, modelInputReader, parts.summarizer(), parts.extractor());
  }

  /** Prepares the next step of a policy run. */
  PreCommitModelResults runForPolicyStep(SpaceId space, Id run) {
    PreCommitModelResults summaries =
        prepare(
            space,
            view ->
                pendingRun(view, run, PolicyAction.SummarizeAction.class)
                    .flatMap(due -> policyStepInputs(view, due)),
            parts.summarizer(),
            Optional.empty());
    PreCommitModelResults findings =
        prepare(
            space,
            view ->
                pendingRun(view, run, PolicyAction.ExtractArtifactsAction.class)
                    .flatMap(due -> PolicyStepTarget.of(view, due).scope().stream())
                    .map(scope -> scopeInput(view, scope)),
            Optional.empty(),
            parts.extractor());
    return new PreCommitModelResults(
        summaries.summaries(), findings.findings(), Optional.empty(), Optional.empty());
  }

  /** Returns the run if its next step is such an action. */
  private static Stream<PolicyRun> pendingRun(
      MemoryView view, Id run, Class<? extends PolicyAction> action) {
    return view
        .snapshot()
        .find(PolicyRun.TABLE, run)
        .filter(found -> !found.isDone() && action.isInstance(found.currentStep().action()))
        .stream();
  }

  /** Input of a summarizer or an extractor. */
  private record ModelInput(Id about, List<Passage> passages) {
    <T> PreCommitModelResults.PreCommitModelResult<T> withResult(T what) {
      return new PreCommitModelResults.PreCommitModelResult<>(passages, what);
    }
  }

  private interface ModelInputReader {
    Stream<ModelInput> read(MemoryView view);
  }

  private PreCommitModelResults prepare(
      SpaceId space,
      ModelInputReader modelInputReader,
      Optional<Summarizer> summarizer,
      Optional<KnowledgeExtractor> extractor) {
    if (summarizer.isEmpty() && extractor.isEmpty()) {
      return PreCommitModelResults.NOTHING;
    }
    Map<Id, PreCommitModelResults.PreCommitModelResult<Summary>> summaries = new HashMap<>();
    Map<Id, PreCommitModelResults.PreCommitModelResult<Optional<ExtractionResult>>> findings =
        new HashMap<>();
    for (ModelInput one : store.read(space, snapshot -> readInputs(snapshot, modelInputReader))) {
      summarizer.ifPresent(
          by -> summaries.put(one.about(), one.withResult(summarize(space, one, by))));
      extractor.ifPresent(by -> findings.put(one.about(), one.withResult(extract(space, one, by))));
    }
    return new PreCommitModelResults(summaries, findings, Optional.empty(), Optional.empty());
  }

  private List<ModelInput> readInputs(Snapshot snapshot, ModelInputReader modelInputReader) {
    return modelInputReader
        .read(MemoryView.of(snapshot, config))
        .filter(one -> !one.passages().isEmpty())
        .toList();
  }

  private Stream<ModelInput> openScopeInput(MemoryView view, Scope scope) {
    return scope.isOpen() ? Stream.of(scopeInput(view, scope)) : Stream.empty();
  }

  private ModelInput scopeInput(MemoryView view, Scope scope) {
    return new ModelInput(scope.id(), ruleBasedExtraction.scopePassages(view, scope));
  }

  private Stream<ModelInput> policyStepInputs(MemoryView view, PolicyRun run) {
    MemoryKind kind = MemoryKind.valueOf(run.currentStep().target());
    Instant now = parts.clock().instant();
    return kind == MemoryKind.TURN
        ? PolicyStepTarget.of(view, run).scope().stream()
            .filter(scope -> !scope.isSummarized())
            .map(scope -> scopeInput(view, scope))
        : run.trajectory().stream()
            .map(
                id ->
                    new ModelInput(
                        id, ruleBasedExtraction.taskPassages(view, id, kind, now).passages()));
  }

  /** Summarizes with the model, or by rules if it fails; the method says so. */
  private Summary summarize(SpaceId space, ModelInput input, Summarizer summarizer) {
    try {
      Summary made = summarizer.summarize(input.passages());
      return made.sentences().isEmpty() ? fallbackSummary(input.passages()) : made;
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: the model that writes summaries (models.chat) failed for {}, rules made the summary instead. Cause: {}",
          space,
          input.about(),
          errorName(e));
      return fallbackSummary(input.passages());
    }
  }

  private Summary fallbackSummary(List<Passage> passages) {
    return new Summary(FALLBACK, ruleBasedExtraction.summarize(passages).sentences());
  }

  /** Extracts with the model; empty if it fails, or if none of its findings is verbatim. */
  private static Optional<ExtractionResult> extract(
      SpaceId space, ModelInput input, KnowledgeExtractor knowledgeExtractor) {
    try {
      ExtractionResult made = knowledgeExtractor.extract(input.passages());
      ExtractionResult verbatim = made.verbatimIn(input.passages());
      return Optional.of(verbatim)
          .filter(_ -> made.findings().isEmpty() || !verbatim.findings().isEmpty());
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: the model that extracts findings (models.chat.extraction) failed for {}, rules extract them instead. Cause: {}",
          space,
          input.about(),
          errorName(e));
      return Optional.empty();
    }
  }

  /** Returns the code or the class of an error, because its message may quote the input. */
  private static String errorName(RuntimeException e) {
    return Optional.of(e)
        .filter(CaliberException.class::isInstance)
        .map(known -> ((CaliberException) known).code().text())
        .orElse(e.getClass().getSimpleName());
  }
}
