package dev.caliber.memory.commit;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.commit.UnitOfWorkListeners.FiredTrigger;
import dev.caliber.memory.event.MemoryEvent;
import dev.caliber.memory.event.MemoryEvent.PastSummariesRemoved;
import dev.caliber.memory.event.MemoryEvent.RecordForgotten;
import dev.caliber.memory.event.MemoryEvent.RecordRemoved;
import dev.caliber.memory.event.MemoryEvent.ScopeCountSaved;
import dev.caliber.memory.event.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.event.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.event.MemoryEvent.TurnCountSaved;
import dev.caliber.memory.event.MemoryEventApplier;
import dev.caliber.memory.event.Notice;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.memory.spi.Summary;
import dev.caliber.memory.view.MemoryConfig;
import dev.caliber.memory.view.MemoryDependencies;
import dev.caliber.memory.view.MemoryView;
import dev.caliber.memory.view.SummaryHistory;
import dev.caliber.store.Transaction;
import dev.caliber.store.job.BatchedWork;
import dev.caliber.store.job.BatchedWork.ScheduledWork;
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
public final class UnitOfWork {
  private final Transaction transaction;
  private final MemoryConfig config;
  private final MemoryDependencies parts;
  private final PreCommitModelResults preCommitModelResults;
  private final UnitOfWorkListeners listeners;
  private final MemoryView view;
  private final MemoryEventApplier memoryEventApplier;
  private final Instant begun;
  private final List<MemoryEvent> events = new ArrayList<>();
  private final List<ScheduledWork<?>> followUps = new ArrayList<>();

  public UnitOfWork(
      Transaction transaction,
      MemoryConfig config,
      MemoryDependencies parts,
      PreCommitModelResults preCommitModelResults,
      UnitOfWorkListeners listeners) {
    this.preCommitModelResults = preCommitModelResults;
    this.transaction = transaction;
    this.config = config;
    this.parts = parts;
    this.listeners = listeners;
    this.view = new MemoryView(transaction, config.limits());
    this.memoryEventApplier = new MemoryEventApplier(new TransactionMemoryState(transaction));
    this.begun = parts.clock().instant();
  }

  /** Returns whether an extractor is configured. */
  boolean hasExtractor() {
    return parts.extractor().isPresent();
  }

  public void emit(MemoryEvent event) {
    removedRecord(event).ifPresent(this::prepareRemoval);
    List<Runnable> afterwards =
        listeners.beforeEvent().stream().map(listener -> listener.apply(this, event)).toList();
    memoryEventApplier.apply(event);
    afterwards.forEach(Runnable::run);
    events.add(event);
    listeners.afterEvent().forEach(listener -> listener.accept(this, event));
    newlySummarizedRecord(event).ifPresent(this::removeExcessPastSummaries);
  }

  /** Tells retention and policies that a turn, scope or trajectory has come to a trigger. */
  void fire(
      Trigger.TrajectoryTriggerEvent trajectoryTriggerEvent,
      Id about,
      Id trajectory,
      Optional<Id> scope) {
    FiredTrigger firedTrigger = new FiredTrigger(trajectoryTriggerEvent, about, trajectory, scope);
    listeners.onTrigger().forEach(listener -> listener.accept(this, firedTrigger));
  }

  private static Optional<EntityRef> newlySummarizedRecord(MemoryEvent event) {
    return event instanceof ScopeSummarized || event instanceof TrajectorySummarized
        ? Optional.of(event.tracedRecord().record())
        : Optional.empty();
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

  /** Returns the time since this unit of work began. */
  Duration elapsedTime() {
    return Duration.between(begun, parts.clock().instant());
  }

  private static Optional<EntityRef> removedRecord(MemoryEvent event) {
    return event instanceof RecordRemoved || event instanceof RecordForgotten
        ? Optional.of(event.tracedRecord().record())
        : Optional.empty();
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
  public void replaceSummary(Id trajectory, Summary made) {
    emit(new TrajectorySummarized(trajectory, made, Optional.of(newId()), now()));
  }

  private void recordScopeCount(Scope scope) {
    if (view.lastScope(scope.trajectory()).equals(Optional.of(scope))) {
      emit(new ScopeCountSaved(scope.trajectory(), view.nextScopeSequence(scope.trajectory())));
    }
  }

  /** Saves the counters of the newest turn before it is removed. */
  private void recordTurnCount(Turn turn) {
    boolean newest =
        view.lastTurns(turn.scope(), 1).contains(turn)
            || view.newestTurn(turn.trajectory()).equals(Optional.of(turn));
    if (newest) {
      emit(new TurnCountSaved(turn.trajectory(), turn.scope(), turn.total(), turn.sequence() + 1));
    }
  }

  /** Publishes a notice on a channel; followers see it after the commit. */
  public void publishNotice(String channel, Id about) {
    transaction.append(Notice.TABLE, Notice.onChannel(channel, newId(), about, now()));
  }

  /** Starts work that takes further commits; its job may begin as soon as this one is done. */
  public <S> void startFollowUp(String kind, S state) {
    addFollowUp(BatchedWork.scheduleNow(kind, transaction, state));
  }

  /** Adds work that this commit has started. */
  public void addFollowUp(ScheduledWork<?> started) {
    followUps.add(started);
  }

  /** Returns the work that this commit has started. */
  public List<ScheduledWork<?>> followUps() {
    return List.copyOf(followUps);
  }

  /** Returns the configuration that the space has deployed. */
  public Optional<CompiledConfig> deployedConfig() {
    return parts.deployedConfigs().apply(transaction);
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

  public List<MemoryEvent> events() {
    return List.copyOf(events);
  }

  public MemoryView view() {
    return view;
  }

  /** Returns the model results that were computed before this commit. */
  public PreCommitModelResults preCommitModelResults() {
    return preCommitModelResults;
  }

  public MemoryConfig config() {
    return config;
  }

  public MemoryDependencies parts() {
    return parts;
  }

  RuntimeConfig runtime() {
    return parts.runtime();
  }

  public Transaction transaction() {
    return transaction;
  }

  public Instant now() {
    return transaction.now();
  }

  public Id newId() {
    return transaction.newId();
  }
}
