package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.Json;
import dev.caliber.kernel.Limit;
import dev.caliber.kernel.SpaceId;
import dev.caliber.memory.command.AppendResult;
import dev.caliber.memory.command.AppendTurns;
import dev.caliber.memory.command.CleanupResult;
import dev.caliber.memory.command.Command;
import dev.caliber.memory.command.ConsolidateTrajectory;
import dev.caliber.memory.command.ForgetRecords;
import dev.caliber.memory.command.ForgetResult;
import dev.caliber.memory.command.LearnFromTurns;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.command.RememberNote;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.Labels;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.NoteType;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TextChecks;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.FindingKind;
import dev.caliber.store.BatchedWork;
import dev.caliber.store.JobEffect;
import dev.caliber.store.JobRun;
import dev.caliber.store.Jobs;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchHit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory whose records are rows of a store. */
final class RecordMemory implements Memory {
  private static final Logger LOG = LoggerFactory.getLogger(RecordMemory.class);

  private final RecordStore store;
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final RuleBasedExtraction ruleBasedExtraction;
  private final PreCommitModelCalls preCommitModelCalls;
  private final PolicyRunner policies;
  private final MemoryMaintenance memoryMaintenance;
  private final BatchedWork<ForgottenRecords> unquoting;
  private final ForgetRunner forgetRunner;
  private final ConsolidationRunner consolidationRunner;

  RecordMemory(RecordStore given, MemoryConfig config, MemoryDependencies parts) {
    this.store = ForgetFilteredStore.hideForgotten(given);
    this.config = config;
    this.parts = parts;
    this.ruleBasedExtraction = new RuleBasedExtraction(config);
    this.preCommitModelCalls = new PreCommitModelCalls(store, config, parts, ruleBasedExtraction);
    this.policies =
        new PolicyRunner(store, config, preCommitModelCalls, this::unitOfWork, this::dispatcher);
    this.memoryMaintenance =
        new MemoryMaintenance(store, config, parts, this::unitOfWork, this::dispatcher);
    BatchedWork.BatchedWorkDependencies batches =
        new BatchedWork.BatchedWorkDependencies(
            ForgetFilteredStore.showForgotten(store), config.retention().batches(), parts.clock());
    DerivedDataPurge quotes = DerivedDataPurge.of(config, parts);
    this.unquoting =
        new BatchedWork<>(
            DerivedDataPurge.JOB,
            ForgottenRecords.class,
            (_, gone) -> most -> quotes.nextBatch(gone, most),
            batches);
    this.forgetRunner = new ForgetRunner(config, batches, this::unitOfWork, unquoting);
    this.consolidationRunner = new ConsolidationRunner(config, this::consolidate);
  }

  /** Returns this memory, which checks no permissions. */
  @Override
  public Memory asActor(String actor) {
    return this;
  }

  @Override
  @SuppressWarnings("unchecked") // a command answers its own result type
  public <R> R run(SpaceId space, Command<R> command) {
    return switch (command) {
      case ConsolidateTrajectory consolidateTrajectory ->
          (R) consolidationRunner.consolidate(space, consolidateTrajectory);
      case ForgetRecords forgetRecords -> (R) forgetRunner.forget(space, forgetRecords);
      default -> runInOneCommit(space, command);
    };
  }

  private ConsolidationRunner.ConsolidationProgress consolidate(
      SpaceId space,
      Function<ConsolidationHandler, ConsolidationRunner.ConsolidationProgress> work) {
    return commit(space, unitOfWork -> work.apply(dispatcher(unitOfWork).consolidationHandler()));
  }

  private <R> R runInOneCommit(SpaceId space, Command<R> command) {
    PrecomputedResults precomputedResults = preCommitModelCalls.runForCommand(space, command);
    Command<R> ready = withTokenCounts(command);
    Supplier<R> commit =
        () -> commit(space, precomputedResults, unitOfWork -> dispatcher(unitOfWork).run(ready));
    return command instanceof RollBackTrajectory back
        ? RollBackHandler.runInOneCommit(back, commit)
        : commit.get();
  }

  /** Counts tokens before the commit, outside of the writer thread. */
  @SuppressWarnings("unchecked") // the command keeps its result type
  private <R> Command<R> withTokenCounts(Command<R> command) {
    return command instanceof AppendTurns(var scope, var turns)
        ? (Command<R>) new AppendTurns(scope, countTokens(turns))
        : command;
  }

  private List<NewTurn> countTokens(List<NewTurn> turns) {
    new InputLimits(config.limits()).check(turns);
    return turns.stream().map(turn -> turn.withTokenCount(parts.counter())).toList();
  }

  @Override
  public <R> R run(Transaction transaction, Command<R> command) {
    return dispatcher(unitOfWork(transaction)).run(command);
  }

  @Override
  public <R> Function<Transaction, R> prepareCommand(SpaceId space, Command<R> command) {
    PrecomputedResults precomputedResults = preCommitModelCalls.runForCommand(space, command);
    Command<R> ready = withTokenCounts(command);
    return transaction -> dispatcher(unitOfWork(transaction, precomputedResults)).run(ready);
  }

  @Override
  public Function<Transaction, Note> prepareCommand(SpaceId space, RememberNote memory) {
    return prepareCommand(space, toWriteNote(space, memory));
  }

  private <R> R commit(SpaceId space, Function<UnitOfWork, R> work) {
    return commit(space, PrecomputedResults.NOTHING, work);
  }

  /** Commits, then continues pending expiries, subject assignments, purges and policy runs. */
  private <R> R commit(
      SpaceId space, PrecomputedResults precomputedResults, Function<UnitOfWork, R> work) {
    CommitFollowUps<R> commitFollowUps =
        store.write(
            space,
            transaction -> {
              UnitOfWork unitOfWork = unitOfWork(transaction, precomputedResults);
              R answer = work.apply(unitOfWork);
              return new CommitFollowUps<>(
                  answer,
                  unitOfWork.startedRuns(),
                  unitOfWork.pendingPurges(),
                  unitOfWork.pendingExpiries(),
                  unitOfWork.pendingSubjectAssignments());
            });
    commitFollowUps
        .pendingExpiries()
        .forEach(pendingExpiry -> expireArtifacts(space, pendingExpiry));
    commitFollowUps
        .pendingSubjectAssignments()
        .forEach(pendingSubjectAssignment -> assignSubject(space, pendingSubjectAssignment));
    commitFollowUps.pendingPurges().forEach(rest -> purgeDerivedData(space, rest));
    commitFollowUps.runs().forEach(run -> runPolicies(space, run));
    return commitFollowUps.answer();
  }

  private record CommitFollowUps<R>(
      R answer,
      List<Id> runs,
      List<BatchedWork.ScheduledWork<ForgottenRecords>> pendingPurges,
      List<BoundArtifactExpiry.PendingExpiry> pendingExpiries,
      List<SubjectAssigner.PendingSubjectAssignment> pendingSubjectAssignments) {}

  /** Expires remaining artifacts; if that fails, the job continues. */
  private void expireArtifacts(SpaceId space, BoundArtifactExpiry.PendingExpiry pendingExpiry) {
    try {
      memoryMaintenance.expireArtifacts(space, pendingExpiry);
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: expiring artifacts of trajectory {} failed, job {} retries: {}",
          space,
          pendingExpiry.over().trajectory(),
          BoundArtifactExpiry.JOB,
          e.getMessage());
    }
  }

  /** Labels remaining records; if that fails, the job continues. */
  private void assignSubject(
      SpaceId space, SubjectAssigner.PendingSubjectAssignment pendingSubjectAssignment) {
    try {
      memoryMaintenance.assignSubjects(space, pendingSubjectAssignment);
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: labelling records of trajectory {} failed, job {} retries: {}",
          space,
          pendingSubjectAssignment.trajectory(),
          SubjectAssigner.JOB,
          e.getMessage());
    }
  }

  /** Purges remaining derived data; if that fails, the job continues. */
  private void purgeDerivedData(SpaceId space, BatchedWork.ScheduledWork<ForgottenRecords> rest) {
    try {
      unquoting.resume(space, rest);
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: purging data derived from forgotten records failed, job {} retries: {}",
          space,
          DerivedDataPurge.JOB,
          e.getMessage());
    }
  }

  /** Runs a policy; a failure does not undo its trigger, and the job retries. */
  private void runPolicies(SpaceId space, Id run) {
    try {
      policies.runToEnd(space, run, MemoryMaintenance.JobLeaseKeeper.UNLEASED);
      policies.removeJob(space, run);
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: policy run {} failed, job {} retries: {}",
          space,
          run,
          PolicyRunStarter.JOB,
          e.getMessage());
    }
  }

  @Override
  public void registerFollowUpHandlers(Jobs jobs) {
    memoryMaintenance.registerFollowUpHandlers(jobs, policies);
    unquoting.registerHandler(jobs);
  }

  @Override
  public void registerJobHandlers(Jobs jobs) {
    registerFollowUpHandlers(jobs);
    memoryMaintenance.registerJobHandlers(jobs);
    forgetRunner.registerJobHandlers(jobs);
    jobs.registerHandler(LearnFromTurnsHandler.JOB, this::learnFromTurns);
  }

  private JobEffect learnFromTurns(JobRun job) {
    run(job.space(), Json.read(job.job().payload(), LearnFromTurns.class));
    return JobEffect.none();
  }

  @Override
  public void scheduleJobs(SpaceId space) {
    memoryMaintenance.scheduleJobs(space);
  }

  @Override
  public CleanupResult runMaintenance(SpaceId space) {
    return memoryMaintenance.runMaintenance(space, MemoryMaintenance.JobLeaseKeeper.UNLEASED);
  }

  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return store.read(space, snapshot -> reading.apply(viewOf(snapshot)));
  }

  @Override
  public Note remember(SpaceId space, RememberNote memory) {
    return run(space, toWriteNote(space, memory));
  }

  @Override
  public Note remember(Transaction transaction, RememberNote memory) {
    return run(transaction, toWriteNote(transaction.space(), memory));
  }

  @Override
  public AppendResult remember(SpaceId space, String session, List<NewTurn> turns) {
    List<NewTurn> ready = countTokens(turns);
    return commit(space, unitOfWork -> appendToSession(unitOfWork, session, ready));
  }

  @Override
  public AppendResult remember(Transaction transaction, String session, List<NewTurn> turns) {
    return appendToSession(unitOfWork(transaction), session, turns);
  }

  private AppendResult appendToSession(UnitOfWork unitOfWork, String session, List<NewTurn> turns) {
    TextChecks.requireNotBlank("session", session);
    CommandDispatcher commandDispatcher = dispatcher(unitOfWork);
    Trajectory trajectory = openOrStartSession(unitOfWork, commandDispatcher, session);
    Scope scope =
        unitOfWork
            .view()
            .currentScope(trajectory.id())
            .orElseGet(() -> commandDispatcher.run(new OpenScope(trajectory.id())));
    List<Turn> said = commandDispatcher.run(new AppendTurns(scope.id(), turns));
    List<Id> ids = said.stream().map(Turn::id).toList();
    return new AppendResult(said, commandDispatcher.run(new LearnFromTurns(ids)));
  }

  @Override
  public RecallResult recall(SpaceId space, RecallQuery query) {
    new Limit("memory.recall.max-limit", config.recall().maxLimit())
        .requireWithin("limit", query.limit());
    new InputLimits(config.limits()).check(query);
    Instant now = parts.clock().instant();
    return parts.search().isPresent() && query.asOf().isEmpty()
        ? searchOrScan(space, query, now)
        : scan(space, query, now, ScanRecall.METHOD);
  }

  /** Searches the index, or scans while it is behind. */
  private RecallResult searchOrScan(SpaceId space, RecallQuery query, Instant now) {
    try {
      return search(
          space,
          query,
          new IndexRecall(
              parts.search().orElseThrow(), parts.counter(), config.recall().minSimilarity()),
          now);
    } catch (SearchException e) {
      if (e.code() != SearchErrorCode.INDEX_BEHIND) {
        throw e;
      }
      return scan(space, query, now, ScanRecall.METHOD_BEHIND);
    }
  }

  /** Scans the records, also for a query of the past, which the index cannot answer. */
  private RecallResult scan(SpaceId space, RecallQuery query, Instant now, String method) {
    return view(
        space,
        view -> {
          ScanRecall.ScanRecallResult scanRecallResult =
              new ScanRecall(view, config.recall(), parts.counter()).recall(query, now);
          return limitToTokens(scanRecallResult, method, query);
        });
  }

  private RecallResult search(SpaceId space, RecallQuery query, IndexRecall recall, Instant now) {
    long sequence = store.changes().head(space).sequence();
    IndexRecall.IndexRecallResult indexRecallResult =
        recall.search(space, query, query.limit(), sequence, now);
    List<RecallHit> hits =
        view(space, view -> recall.readHits(view, indexRecallResult.hits(), query, now));
    int lost = indexRecallResult.hits().size() - hits.size();
    if (lost > 0 && indexRecallResult.hits().size() == query.limit()) {
      List<SearchHit> more =
          recall.search(space, query, query.limit() + lost, sequence, now).hits();
      hits = view(space, view -> recall.readHits(view, more, query, now));
    }
    List<RecallHit> best = hits.subList(0, Math.min(hits.size(), query.limit()));
    return limitToTokens(new ScanRecall.ScanRecallResult(best, false), RecallResult.BY_INDEX, query)
        .withUnembedded(indexRecallResult.unembedded());
  }

  @Override
  public ForgetResult forget(SpaceId space, ForgetRecords command) {
    return forgetRunner.forget(space, command);
  }

  @Override
  public List<Turn> summarizedTurns(SpaceId space, Id summarized) {
    return view(space, view -> summarizedTurns(view, summarized));
  }

  private static List<Turn> summarizedTurns(MemoryView view, Id summarized) {
    if (view.snapshot().find(Scope.TABLE, summarized).isPresent()) {
      return view.turns(summarized);
    }
    Trajectory trajectory = view.trajectory(summarized);
    return view.turns(trajectory.id(), 0, trajectory.counters().turns());
  }

  /** Keeps the best hits that fit into the tokens; no hit is cut. */
  private static RecallResult limitToTokens(
      ScanRecall.ScanRecallResult scanRecallResult, String method, RecallQuery query) {
    List<RecallHit> taken = new ArrayList<>();
    long tokens = 0;
    for (RecallHit recallHit : scanRecallResult.hits()) {
      if (tokens + recallHit.tokens() <= query.maxTokens().orElse(Integer.MAX_VALUE)) {
        taken.add(recallHit);
        tokens += recallHit.tokens();
      }
    }
    return new RecallResult(
        taken,
        method,
        scanRecallResult.hits().size() - taken.size(),
        scanRecallResult.partial(),
        0);
  }

  private WriteNote toWriteNote(SpaceId space, RememberNote memory) {
    new InputLimits(config.limits()).check(memory);
    Labels labels = memory.subject().map(Labels::ofSubject).orElse(Labels.none());
    String entity = memory.about().or(memory::subject).orElse(space.value());
    EntityType sort = memory.about().isPresent() ? EntityType.NOTE : EntityType.SUBJECT;
    NoteType type = memory.type().orElseGet(() -> inferNoteType(memory.text()));
    return WriteNote.of(entity, sort.lowerCaseName(), type, memory.text()).withLabels(labels);
  }

  private NoteType inferNoteType(String text) {
    return ruleBasedExtraction.reader().findings(text).stream()
            .anyMatch(found -> found.kind() == FindingKind.PREFERENCE)
        ? NoteType.PREFERENCE
        : NoteType.FACT;
  }

  private static Trajectory openOrStartSession(
      UnitOfWork unitOfWork, CommandDispatcher commandDispatcher, String session) {
    return unitOfWork
        .view()
        .openTrajectoryByExternalId(session)
        .orElseGet(
            () ->
                commandDispatcher.run(
                    StartTrajectory.of(session, EntityRef.of(EntityType.SUBJECT, session))
                        .withLabels(Labels.ofExternalId(session))));
  }

  private UnitOfWork unitOfWork(Transaction transaction) {
    return unitOfWork(transaction, PrecomputedResults.NOTHING);
  }

  private UnitOfWork unitOfWork(Transaction transaction, PrecomputedResults precomputedResults) {
    return new UnitOfWork(transaction, config, parts, precomputedResults);
  }

  private CommandDispatcher dispatcher(UnitOfWork unitOfWork) {
    return new CommandDispatcher(unitOfWork, parts.counter(), ruleBasedExtraction);
  }

  private MemoryView viewOf(Snapshot snapshot) {
    return MemoryView.of(snapshot, config);
  }
}
