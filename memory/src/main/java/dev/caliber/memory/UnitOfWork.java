package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent;
import dev.caliber.memory.record.MemoryEvent.PastSummariesRemoved;
import dev.caliber.memory.record.MemoryEvent.RecordForgotten;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryEvent.ScopeCountRecorded;
import dev.caliber.memory.record.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.record.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.record.MemoryEvent.TurnCountRecorded;
import dev.caliber.memory.record.MemoryEventApplier;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Notice;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.store.BatchedWork;
import dev.caliber.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Unit of work of one commit: the reads of a decision, and the one way in which its events take
 * effect. An event is applied, traced and published in the same transaction.
 */
final class UnitOfWork {
  private final Transaction transaction;
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final PreCommitModelResults preCommitModelResults;
  private final MemoryView view;
  private final MemoryEventApplier memoryEventApplier;
  private final Instant begun;
  private final List<MemoryEvent> events = new ArrayList<>();
  private final List<Id> runs = new ArrayList<>();
  private final List<BatchedWork.ScheduledWork<ForgottenRecords>> pendingPurges = new ArrayList<>();
  private final List<BoundArtifactExpiry.PendingExpiry> pendingExpiries = new ArrayList<>();
  private final List<SubjectAssigner.PendingSubjectAssignment> pendingSubjectAssignments =
      new ArrayList<>();

  UnitOfWork(Transaction transaction, MemoryConfig config, MemoryDependencies parts) {
    this(transaction, config, parts, PreCommitModelResults.NOTHING);
  }

  UnitOfWork(
      Transaction transaction,
      MemoryConfig config,
      MemoryDependencies parts,
      PreCommitModelResults preCommitModelResults) {
    this.preCommitModelResults = preCommitModelResults;
    this.transaction = transaction;
    this.config = config;
    this.parts = parts;
    this.view = new MemoryView(transaction, config.limits());
    this.memoryEventApplier = new MemoryEventApplier(new TransactionMemoryState(transaction));
    this.begun = parts.clock().instant();
  }

  /** Returns whether an extractor is configured. */
  boolean hasExtractor() {
    return parts.extractor().isPresent();
  }

  void emit(MemoryEvent event) {
    removedRecord(event).ifPresent(this::prepareRemoval);
    List<String> lost = removedTexts(event);
    memoryEventApplier.apply(event);
    parts
        .search()
        .filter(_ -> !lost.isEmpty())
        .ifPresent(it -> it.deleteVectors(transaction, lost));
    events.add(event);
    EventDescription eventDescription = EventDescription.of(event);
    TraceEvent trace = eventDescription.toTraceEvent(newId(), now());
    transaction.append(
        TraceEvent.TABLE,
        eventDescription.isTimed() ? trace.withDuration(elapsedSince(begun)) : trace);
    if (eventDescription.isPublished()) {
      publishNotice(eventDescription.name(), Id.parse(eventDescription.record().id()));
    }
    new RecordInspection(transaction, view, parts).inspectEvent(event);
    newlySummarizedRecord(event).ifPresent(this::removeExcessPastSummaries);
  }

  private static Optional<EntityRef> newlySummarizedRecord(MemoryEvent event) {
    return switch (event) {
      case ScopeSummarized(_, var id, _, _, _) -> Optional.of(EntityRef.of(EntityType.SCOPE, id));
      case TrajectorySummarized(var id, _, _, _) ->
          Optional.of(EntityRef.of(EntityType.TRAJECTORY, id));
      default -> Optional.empty(); // no other event keeps an earlier summary
    };
  }

  /**
   * Deletes the oldest past summaries beyond {@code memory.retention.max-summary-versions}. The
   * number must stay bounded, because Forget deletes all of them in one commit.
   */
  private void removeExcessPastSummaries(EntityRef about) {
    SummaryHistory past = new SummaryHistory(view, Id.parse(about.id()));
    long over = past.count() - config.retention().maxSummaryVersions();
    if (over > 0) {
      int now = (int) Math.min(over, config.retention().batch());
      removePastSummaries(about, past.oldestSummaries(now));
    }
  }

  private Duration elapsedSince(Instant earlier) {
    return Duration.between(earlier, parts.clock().instant());
  }

  private static Optional<EntityRef> removedRecord(MemoryEvent event) {
    return switch (event) {
      case RecordRemoved(var record) -> Optional.of(record);
      case RecordForgotten(var record, _, _) -> Optional.of(record);
      default -> Optional.empty(); // no other event removes a record
    };
  }

  /** Saves counters and deletes past summaries before a record is removed. */
  private void prepareRemoval(EntityRef record) {
    switch (record.type()) {
      case TURN -> transaction.find(Turn.TABLE, record.id()).ifPresent(this::recordTurnCount);
      case SCOPE -> {
        transaction.find(Scope.TABLE, record.id()).ifPresent(this::recordScopeCount);
        removePastSummaries(record, _ -> true);
      }
      case TRAJECTORY -> removePastSummaries(record, _ -> true);
      case ARTIFACT, NOTE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> {}
    }
  }

  /** Deletes the past summaries of a scope or trajectory that pass. */
  void removePastSummaries(EntityRef about, Predicate<PastSummary> passes) {
    removePastSummaries(
        about, view.summaryHistory(Id.parse(about.id())).stream().filter(passes).toList());
  }

  private void removePastSummaries(EntityRef about, List<PastSummary> past) {
    if (!past.isEmpty()) {
      emit(new PastSummariesRemoved(about, past.stream().map(PastSummary::id).toList()));
    }
  }

  /** Replaces the summary of a scope and keeps the old one as past summary. */
  void replaceSummary(Scope scope, Summary made) {
    emit(new ScopeSummarized(scope.trajectory(), scope.id(), made, Optional.of(newId()), now()));
  }

  /** Replaces the summary of a trajectory and keeps the old one as past summary. */
  void replaceSummary(Id trajectory, Summary made) {
    emit(new TrajectorySummarized(trajectory, made, Optional.of(newId()), now()));
  }

  private void recordScopeCount(Scope scope) {
    if (view.lastScope(scope.trajectory()).equals(Optional.of(scope))) {
      emit(new ScopeCountRecorded(scope.trajectory(), view.nextScopeSequence(scope.trajectory())));
    }
  }

  /** Saves the counters of the newest turn before it is removed. */
  private void recordTurnCount(Turn turn) {
    boolean newest =
        view.lastTurns(turn.scope(), 1).contains(turn)
            || view.newestTurn(turn.trajectory()).equals(Optional.of(turn));
    if (newest) {
      emit(
          new TurnCountRecorded(
              turn.trajectory(), turn.scope(), turn.total(), turn.sequence() + 1));
    }
  }

  /** Returns the texts of a removed record, whose vectors are deleted with it. */
  private List<String> removedTexts(MemoryEvent event) {
    return event instanceof RecordRemoved(var record) && parts.search().isPresent()
        ? new RecordTexts(view).textsOf(record)
        : List.of();
  }

  /** Publishes a notice on a channel; followers see it after the commit. */
  void publishNotice(String channel, Id about) {
    transaction.append(Notice.TABLE, Notice.onChannel(channel, newId(), about, now()));
  }

  /** Deletes vectors, and purges derived data of other modules up to the limit of this commit. */
  void notifyForgotten(ForgetPlan forgetPlan, int most) {
    parts.search().ifPresent(search -> search.deleteVectors(transaction, forgetPlan.texts()));
    ForgottenRecords gone =
        new ForgottenRecords(forgetPlan.records(), List.copyOf(forgetPlan.trajectories()));
    DerivedDataPurge.of(config, parts)
        .purgeFirstBatch(transaction, gone, most)
        .ifPresent(pendingPurges::add);
  }

  /** Returns purges that this commit could not finish. */
  List<BatchedWork.ScheduledWork<ForgottenRecords>> pendingPurges() {
    return List.copyOf(pendingPurges);
  }

  /** Adds an expiry that this commit could not finish. */
  void addPendingExpiry(BoundArtifactExpiry.PendingExpiry pendingExpiry) {
    pendingExpiries.add(pendingExpiry);
  }

  List<BoundArtifactExpiry.PendingExpiry> pendingExpiries() {
    return List.copyOf(pendingExpiries);
  }

  /** Adds a subject assignment that this commit could not finish. */
  void addPendingSubjectAssignment(
      SubjectAssigner.PendingSubjectAssignment pendingSubjectAssignment) {
    pendingSubjectAssignments.add(pendingSubjectAssignment);
  }

  List<SubjectAssigner.PendingSubjectAssignment> pendingSubjectAssignments() {
    return List.copyOf(pendingSubjectAssignments);
  }

  /** Lets other modules store their data for a checkpoint of this commit. */
  void notifyCheckpointSaved(Checkpoint made) {
    parts
        .extensions()
        .checkpointListeners()
        .forEach(listener -> listener.onCheckpointSaved(transaction, made));
  }

  /** Adds a policy run that this commit started. */
  void addStartedRun(Id run) {
    runs.add(run);
  }

  /** Returns the policy runs that this commit started. */
  List<Id> startedRuns() {
    return List.copyOf(runs);
  }

  /** Returns the configuration that the space has deployed. */
  Optional<CompiledConfig> deployedConfig() {
    return parts.deployedConfigs().apply(transaction);
  }

  /** Starts the policies of an event. */
  void startPolicies(
      Trigger.TriggerEvent triggerEvent, Id about, Id trajectory, Optional<Id> scope) {
    PolicyRunStarter.of(this)
        .ifPresent(
            policyRunStarter ->
                policyRunStarter.startForEvent(triggerEvent, about, trajectory, scope));
  }

  /**
   * Returns the error for a scope that accepts nothing: its trajectory has ended, or it was closed.
   */
  MemoryException closedScopeError(Scope scope) {
    Trajectory trajectory = view.trajectory(scope.trajectory());
    return trajectory.status().isTerminal()
        ? MemoryException.trajectoryEnded(trajectory)
        : MemoryException.scopeClosed(scope.id());
  }

  List<MemoryEvent> events() {
    return List.copyOf(events);
  }

  MemoryView view() {
    return view;
  }

  /** Returns the model results that were computed before this commit. */
  PreCommitModelResults preCommitModelResults() {
    return preCommitModelResults;
  }

  MemoryConfig config() {
    return config;
  }

  RuntimeConfig runtime() {
    return parts.runtime();
  }

  Transaction transaction() {
    return transaction;
  }

  Instant now() {
    return transaction.now();
  }

  Id newId() {
    return transaction.newId();
  }
}
