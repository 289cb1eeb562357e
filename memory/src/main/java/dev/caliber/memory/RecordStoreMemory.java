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
import dev.caliber.memory.command.NewNote;
import dev.caliber.memory.command.NewTurn;
import dev.caliber.memory.command.OpenScope;
import dev.caliber.memory.command.RecallQuery;
import dev.caliber.memory.command.RecallResult;
import dev.caliber.memory.command.RecallResult.RecallHit;
import dev.caliber.memory.command.RollBackTrajectory;
import dev.caliber.memory.command.StartTrajectory;
import dev.caliber.memory.command.WriteNote;
import dev.caliber.memory.commit.ArtifactExpiryRunner;
import dev.caliber.memory.commit.LearnFromTurnsHandler;
import dev.caliber.memory.commit.PreCommitModelResults;
import dev.caliber.memory.commit.RollBackHandler;
import dev.caliber.memory.commit.SubjectAssigner;
import dev.caliber.memory.commit.UnitOfWork;
import dev.caliber.memory.forget.DerivedDataPurge;
import dev.caliber.memory.forget.ForgetFilteredStore;
import dev.caliber.memory.policy.PolicyRunStarter;
import dev.caliber.memory.recall.IndexRecall;
import dev.caliber.memory.recall.ScanRecall;
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
import dev.caliber.memory.view.ForgottenRecords;
import dev.caliber.memory.view.InputLimits;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.store.RecordStore;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.BatchedWork;
import dev.caliber.store.job.BatchedWork.ScheduledWork;
import dev.caliber.store.job.BatchedWorkRunner;
import dev.caliber.store.job.JobEffect;
import dev.caliber.store.job.JobRun;
import dev.caliber.store.job.Jobs;
import dev.caliber.store.job.WorkClaim;
import dev.caliber.store.search.SearchErrorCode;
import dev.caliber.store.search.SearchException;
import dev.caliber.store.search.SearchHit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory whose records are rows of a store. */
final class RecordStoreMemory implements Memory {
  private static final Logger LOG = LoggerFactory.getLogger(RecordStoreMemory.class);

  private final RecordStore store;
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final UnitOfWorkFactory unitsOfWork;
  private final PreCommitModelCalls preCommitModelCalls;
  private final BatchedWorkRunner batchedWorkRunner;
  private final FollowUpWork followUpWork;
  private final MemoryMaintenance memoryMaintenance;
  private final ForgetRunner forgetRunner;

  RecordStoreMemory(RecordStore given, MemoryConfig config, MemoryDependencies parts) {
    this.store = ForgetFilteredStore.hideForgotten(given);
    this.config = config;
    this.parts = parts;
    this.unitsOfWork = new UnitOfWorkFactory(config, parts);
    this.preCommitModelCalls =
        new PreCommitModelCalls(store, config, parts, unitsOfWork.ruleBasedExtraction());
    this.batchedWorkRunner =
        new BatchedWorkRunner(store, config.retention().batches(), parts.clock());
    this.followUpWork = new FollowUpWork(unitsOfWork);
    this.memoryMaintenance = new MemoryMaintenance(batchedWorkRunner, config, parts, unitsOfWork);
    BatchedWorkRunner showingForgotten =
        new BatchedWorkRunner(
            ForgetFilteredStore.showForgotten(store), config.retention().batches(), parts.clock());
    this.forgetRunner = new ForgetRunner(config, showingForgotten, unitsOfWork, followUpWork);
    followUpWork.add(
        DerivedDataPurge.JOB,
        ForgottenRecords.class,
        showingForgotten,
        (unitOfWork, gone, most) -> new DerivedDataPurge(unitOfWork).purgeBatch(gone, most));
    followUpWork.add(
        ArtifactExpiryRunner.JOB,
        ArtifactExpiryRunner.ExpiryTarget.class,
        batchedWorkRunner,
        (unitOfWork, over, most) -> new ArtifactExpiryRunner(unitOfWork).continueBatch(over, most));
    followUpWork.add(
        SubjectAssigner.JOB,
        Id.class,
        batchedWorkRunner,
        (unitOfWork, id, most) -> new SubjectAssigner(unitOfWork, most).continueBatch(id));
    followUpWork.add(
        new BatchedWork<>(
            PolicyRunStarter.JOB,
            Id.class,
            new PolicyRunner(store, config, preCommitModelCalls, unitsOfWork),
            batchedWorkRunner));
    followUpWork.add(
        new BatchedWork<>(
            ScheduledPolicies.JOB,
            ScheduledPolicies.ScheduledRuleTime.class,
            (_, due) -> new ScheduledPolicies.ScheduleRun(unitsOfWork, due),
            batchedWorkRunner));
  }

  @Override
  @SuppressWarnings("unchecked") // a command answers its own result type
  public <R> R run(SpaceId space, Command<R> command) {
    return switch (command) {
      case ConsolidateTrajectory consolidateTrajectory ->
          (R)
              ConsolidationRunner.consolidate(
                  batchedWorkRunner,
                  unitsOfWork,
                  space,
                  consolidateTrajectory,
                  config.consolidationBatch());
      case ForgetRecords forgetRecords -> (R) forgetRunner.forget(space, forgetRecords);
      default -> runInOneCommit(space, command);
    };
  }

  private <R> R runInOneCommit(SpaceId space, Command<R> command) {
    PreCommitModelResults preCommitModelResults = preCommitModelCalls.runForCommand(space, command);
    Command<R> ready = withTokenCounts(command);
    Supplier<R> commit =
        () ->
            commit(
                space,
                preCommitModelResults,
                unitOfWork -> unitsOfWork.dispatcher(unitOfWork).run(ready));
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
    return unitsOfWork.dispatcher(transaction).run(command);
  }

  @Override
  public <R> Function<Transaction, R> prepareCommand(SpaceId space, Command<R> command) {
    PreCommitModelResults preCommitModelResults = preCommitModelCalls.runForCommand(space, command);
    Command<R> ready = withTokenCounts(command);
    return transaction ->
        unitsOfWork.dispatcher(unitsOfWork.begin(transaction, preCommitModelResults)).run(ready);
  }

  @Override
  public Function<Transaction, Note> prepareCommand(SpaceId space, NewNote memory) {
    return prepareCommand(space, toWriteNote(space, memory));
  }

  private <R> R commit(SpaceId space, Function<UnitOfWork, R> work) {
    return commit(space, PreCommitModelResults.NOTHING, work);
  }

  /** Commits, then resumes the work that the commit has started. */
  private <R> R commit(
      SpaceId space, PreCommitModelResults preCommitModelResults, Function<UnitOfWork, R> work) {
    List<ScheduledWork<?>> followUps = new ArrayList<>();
    R answer =
        store.write(
            space,
            transaction -> {
              UnitOfWork unitOfWork = unitsOfWork.begin(transaction, preCommitModelResults);
              R made = work.apply(unitOfWork);
              followUps.addAll(unitOfWork.followUps());
              return made;
            });
    // Policies run last: they see the records after expiry and purge.
    followUps.sort(Comparator.comparing(started -> started.kind().equals(PolicyRunStarter.JOB)));
    followUps.forEach(started -> resume(space, started));
    return answer;
  }

  /** Resumes work; a failure does not undo the commit that started it, and the job retries. */
  private void resume(SpaceId space, ScheduledWork<?> started) {
    try {
      followUpWork.resume(space, started);
    } catch (RuntimeException e) {
      LOG.warn(
          "Space {}: the follow-up work '{}' failed. The job '{}' will try again. Cause: {}",
          space,
          started.kind(),
          started.job(),
          e.getMessage());
    }
  }

  @Override
  public void registerFollowUpHandlers(Jobs jobs) {
    followUpWork.registerJobHandlers(jobs);
  }

  @Override
  public void registerJobHandlers(Jobs jobs) {
    registerFollowUpHandlers(jobs);
    memoryMaintenance.registerJobHandlers(jobs);
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
    return memoryMaintenance.runMaintenance(space, WorkClaim.UNCLAIMED);
  }

  @Override
  public <T> T view(SpaceId space, Function<MemoryView, T> reading) {
    return store.read(space, snapshot -> reading.apply(viewOf(snapshot)));
  }

  @Override
  public Note remember(SpaceId space, NewNote memory) {
    return run(space, toWriteNote(space, memory));
  }

  @Override
  public Note remember(Transaction transaction, NewNote memory) {
    return run(transaction, toWriteNote(transaction.space(), memory));
  }

  @Override
  public AppendResult remember(SpaceId space, String session, List<NewTurn> turns) {
    List<NewTurn> ready = countTokens(turns);
    return commit(space, unitOfWork -> appendToSession(unitOfWork, session, ready));
  }

  @Override
  public AppendResult remember(Transaction transaction, String session, List<NewTurn> turns) {
    return appendToSession(unitsOfWork.begin(transaction), session, turns);
  }

  private AppendResult appendToSession(UnitOfWork unitOfWork, String session, List<NewTurn> turns) {
    TextChecks.requireNotBlank("session", session);
    CommandDispatcher commandDispatcher = unitsOfWork.dispatcher(unitOfWork);
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

  private WriteNote toWriteNote(SpaceId space, NewNote memory) {
    new InputLimits(config.limits()).check(memory);
    Labels labels = memory.subject().map(Labels::ofSubject).orElse(Labels.none());
    String entity = memory.about().or(memory::subject).orElse(space.value());
    EntityType sort = memory.about().isPresent() ? EntityType.NOTE : EntityType.SUBJECT;
    NoteType type = memory.type().orElseGet(() -> inferNoteType(memory.text()));
    return WriteNote.of(entity, sort.lowerCaseName(), type, memory.text()).withLabels(labels);
  }

  private NoteType inferNoteType(String text) {
    return unitsOfWork.ruleBasedExtraction().reader().findings(text).stream()
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

  private MemoryView viewOf(Snapshot snapshot) {
    return MemoryView.of(snapshot, config);
  }
}
