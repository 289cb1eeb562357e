package dev.caliber.memory;

import dev.caliber.kernel.Id;
import dev.caliber.kernel.config.CompiledConfig;
import dev.caliber.kernel.config.RuntimeConfig;
import dev.caliber.kernel.config.Trigger;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.EntityType;
import dev.caliber.memory.record.MemoryEvent;
import dev.caliber.memory.record.MemoryEvent.RecordForgotten;
import dev.caliber.memory.record.MemoryEvent.RecordRemoved;
import dev.caliber.memory.record.MemoryEvent.ScopeSummarized;
import dev.caliber.memory.record.MemoryEvent.ScopesCounted;
import dev.caliber.memory.record.MemoryEvent.SummariesRemoved;
import dev.caliber.memory.record.MemoryEvent.TrajectorySummarized;
import dev.caliber.memory.record.MemoryEvent.TurnsCounted;
import dev.caliber.memory.record.MemoryException;
import dev.caliber.memory.record.Notice;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.Replay;
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
 * One commit at work: what a decision reads, and the one way in which its events take effect. An
 * event is applied, traced and told in the same transaction.
 */
final class Desk {
  private final Transaction transaction;
  private final MemoryConfig config;
  private final MemoryParts parts;
  private final Prepared prepared;
  private final MemoryView view;
  private final Replay replay;
  private final Instant begun;
  private final List<MemoryEvent> events = new ArrayList<>();
  private final List<Id> runs = new ArrayList<>();
  private final List<BatchedWork.Ticket<Quoted>> stillQuoted = new ArrayList<>();
  private final List<Ending.Rest> stillLiving = new ArrayList<>();
  private final List<SubjectLabelling.Rest> stillUnlabelled = new ArrayList<>();

  Desk(Transaction transaction, MemoryConfig config, MemoryParts parts) {
    this(transaction, config, parts, Prepared.NOTHING);
  }

  Desk(Transaction transaction, MemoryConfig config, MemoryParts parts, Prepared prepared) {
    this.prepared = prepared;
    this.transaction = transaction;
    this.config = config;
    this.parts = parts;
    this.view = new MemoryView(transaction, config.limits());
    this.replay = new Replay(new TransactionState(transaction));
    this.begun = parts.clock().instant();
  }

  /** Whether a model looks for what is worth keeping. */
  boolean asksExtractor() {
    return parts.extractor().isPresent();
  }

  void emit(MemoryEvent event) {
    removed(event).ifPresent(this::prepare);
    List<String> lost = lost(event);
    replay.apply(event);
    parts.search().filter(_ -> !lost.isEmpty()).ifPresent(it -> it.forget(transaction, lost));
    events.add(event);
    Trace trace = Trace.of(event);
    TraceEvent told = trace.event(newId(), now());
    transaction.append(TraceEvent.TABLE, trace.isTimed() ? told.lasting(since(begun)) : told);
    if (trace.isSpoken()) {
      tell(trace.name(), Id.parse(trace.record().id()));
    }
    new Inspecting(transaction, view, parts).after(event);
    toldAnew(event).ifPresent(this::keepNewestPast);
  }

  private static Optional<EntityRef> toldAnew(MemoryEvent event) {
    return switch (event) {
      case ScopeSummarized(_, var id, _, _, _) -> Optional.of(EntityRef.of(EntityType.SCOPE, id));
      case TrajectorySummarized(var id, _, _, _) ->
          Optional.of(EntityRef.of(EntityType.TRAJECTORY, id));
      default -> Optional.empty(); // of all the others none keeps an earlier summary
    };
  }

  /** Whoever forgets takes all of them in one commit, so there may not be too many. */
  private void keepNewestPast(EntityRef about) {
    Told past = new Told(view, Id.parse(about.id()));
    long over = past.count() - config.retention().summaries();
    if (over > 0) {
      int now = (int) Math.min(over, config.retention().batch());
      removePast(about, past.before(now));
    }
  }

  private Duration since(Instant earlier) {
    return Duration.between(earlier, parts.clock().instant());
  }

  private static Optional<EntityRef> removed(MemoryEvent event) {
    return switch (event) {
      case RecordRemoved(var record) -> Optional.of(record);
      case RecordForgotten(var record, _, _) -> Optional.of(record);
      default -> Optional.empty(); // of all the others none takes a record away
    };
  }

  /** What has to be done before a record goes. */
  private void prepare(EntityRef record) {
    switch (record.type()) {
      case TURN -> transaction.find(Turn.TABLE, record.id()).ifPresent(this::count);
      case SCOPE -> {
        transaction.find(Scope.TABLE, record.id()).ifPresent(this::count);
        removePast(record, _ -> true);
      }
      case TRAJECTORY -> removePast(record, _ -> true);
      case ARTIFACT, NOTE, CHECKPOINT, AGENT, WINDOW, SUBJECT -> {}
    }
  }

  /** Removes what was told earlier of a scope or trajectory, as far as it passes. */
  void removePast(EntityRef about, Predicate<PastSummary> passes) {
    removePast(about, view.toldBefore(Id.parse(about.id())).stream().filter(passes).toList());
  }

  private void removePast(EntityRef about, List<PastSummary> past) {
    if (!past.isEmpty()) {
      emit(new SummariesRemoved(about, past.stream().map(PastSummary::id).toList()));
    }
  }

  /** Tells a scope anew, and keeps what was told before. */
  void summarized(Scope scope, Summary made) {
    emit(new ScopeSummarized(scope.trajectory(), scope.id(), made, Optional.of(newId()), now()));
  }

  /** Tells a trajectory anew, and keeps what was told before. */
  void summarized(Id trajectory, Summary made) {
    emit(new TrajectorySummarized(trajectory, made, Optional.of(newId()), now()));
  }

  private void count(Scope scope) {
    if (view.lastScope(scope.trajectory()).equals(Optional.of(scope))) {
      emit(new ScopesCounted(scope.trajectory(), view.nextScope(scope.trajectory())));
    }
  }

  /** The newest turn knows how many there were: before it goes, that is written down. */
  private void count(Turn turn) {
    boolean newest =
        view.lastTurns(turn.scope(), 1).contains(turn)
            || view.newestTurn(turn.trajectory()).equals(Optional.of(turn));
    if (newest) {
      emit(new TurnsCounted(turn.trajectory(), turn.scope(), turn.total(), turn.sequence() + 1));
    }
  }

  /** The words of what is removed, so that their vectors do not outlive them. */
  private List<String> lost(MemoryEvent event) {
    return event instanceof RecordRemoved(var record) && parts.search().isPresent()
        ? new Wordings(view).of(record)
        : List.of();
  }

  /** Says something on a channel once this commit stands. */
  void tell(String channel, Id about) {
    transaction.append(Notice.TABLE, Notice.on(channel, newId(), about, now()));
  }

  /** Lets search and other rooms forget what quotes these records, as far as this commit may. */
  void forgotten(Oblivion oblivion, int most) {
    parts.search().ifPresent(search -> search.forget(transaction, oblivion.texts()));
    Quoted gone = new Quoted(oblivion.records(), List.copyOf(oblivion.trajectories()));
    Unquoting.of(config, parts).begin(transaction, gone, most).ifPresent(stillQuoted::add);
  }

  /** What more may quote than this commit could take. */
  List<BatchedWork.Ticket<Quoted>> stillQuoted() {
    return List.copyOf(stillQuoted);
  }

  /** More artifacts end than this commit could take. */
  void stillLiving(Ending.Rest rest) {
    stillLiving.add(rest);
  }

  List<Ending.Rest> stillLiving() {
    return List.copyOf(stillLiving);
  }

  /** More records get a subject than this commit could label. */
  void stillUnlabelled(SubjectLabelling.Rest rest) {
    stillUnlabelled.add(rest);
  }

  List<SubjectLabelling.Rest> stillUnlabelled() {
    return List.copyOf(stillUnlabelled);
  }

  /** Lets other rooms keep what they have to for a checkpoint of this commit. */
  void saved(Checkpoint made) {
    parts.rooms().checkpoints().forEach(room -> room.saved(transaction, made));
  }

  /** A run of policies begins with this commit. */
  void begun(Id run) {
    runs.add(run);
  }

  /** The runs that began here. */
  List<Id> runs() {
    return List.copyOf(runs);
  }

  /** What the space has deployed. */
  Optional<CompiledConfig> deployed() {
    return parts.policies().apply(transaction);
  }

  /** Sets off the policies of an event. */
  void fire(Trigger.Event event, Id about, Id trajectory, Optional<Id> scope) {
    Triggers.of(this).ifPresent(triggers -> triggers.fire(event, about, trajectory, scope));
  }

  /** Why a scope that is not open takes nothing: its trajectory has ended, or it was closed. */
  MemoryException over(Scope scope) {
    Trajectory trajectory = view.trajectory(scope.trajectory());
    return trajectory.status().isTerminal()
        ? MemoryException.ended(trajectory)
        : MemoryException.scopeClosed(scope.id());
  }

  List<MemoryEvent> events() {
    return List.copyOf(events);
  }

  MemoryView view() {
    return view;
  }

  /** Summaries that were made for this commit. */
  Prepared prepared() {
    return prepared;
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
