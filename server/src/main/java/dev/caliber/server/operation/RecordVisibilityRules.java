package dev.caliber.server.operation;

import dev.caliber.agents.conflict.Conflict;
import dev.caliber.agents.delegation.Delegation;
import dev.caliber.agents.delegation.Handoff;
import dev.caliber.kernel.Id;
import dev.caliber.memory.context.window.Window;
import dev.caliber.memory.event.TraceEvent;
import dev.caliber.memory.pcp.CheckpointLedger;
import dev.caliber.memory.recall.RecordVisibility;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.MemoryInjection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.ReadableSubjects;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules for which records of one snapshot a reader with a subject scope sees. A record has the
 * subject of its labels; without labels, that of its trajectory. Tables without a rule are hidden.
 */
final class RecordVisibilityRules {
  /** The tables without subject data: settings, agents, jobs, and bare ids. */
  private static final Set<String> WITHOUT_SUBJECT =
      Set.of(
          "scope_count",
          "note_source",
          "tombstone",
          "forget_request",
          "walk",
          "named_records",
          "dsl_config",
          "dsl_deployment",
          "dsl_pack",
          "dsl_pack_part",
          "agent",
          "agent_heartbeat",
          "lease",
          "lease_wait",
          "job",
          "embedding",
          "embedding_model",
          "embedding_batch",
          "kept_answer",
          "audit");

  private static final Map<String, VisibilityRule<?>> RULES = buildRules();

  private final Snapshot snapshot;
  private final ReadableSubjects scope;
  private final RecordVisibility subjects;
  private final Map<Id, TrajectoryOwner> trajectories = new HashMap<>();

  RecordVisibilityRules(Snapshot snapshot, ReadableSubjects scope) {
    this.snapshot = snapshot;
    this.scope = scope;
    this.subjects = new RecordVisibility(snapshot);
  }

  /** The rule of one table, which may read the records that a record belongs to. */
  private interface VisibilityRule<T> {
    boolean canSee(RecordVisibilityRules owners, T record);
  }

  private static <T> void addRule(
      Map<String, VisibilityRule<?>> rules, Table<T> table, VisibilityRule<T> visibilityRule) {
    rules.put(table.name(), visibilityRule);
  }

  private static Map<String, VisibilityRule<?>> buildRules() {
    Map<String, VisibilityRule<?>> rules = new HashMap<>();
    addRule(rules, Trajectory.TABLE, (owners, record) -> owners.isTrajectoryVisible(record));
    addRule(rules, Turn.TABLE, RecordVisibilityRules::isTurnVisible);
    addRule(rules, Artifact.TABLE, (owners, record) -> owners.isArtifactVisible(record));
    addRule(rules, Note.TABLE, (owners, record) -> owners.subjects.isVisible(owners.scope, record));
    addRule(rules, PastNote.TABLE, RecordVisibilityRules::isPastNoteVisible);
    addRule(rules, Scope.TABLE, RecordVisibilityRules::isScopeVisible);
    addRule(rules, PastSummary.TABLE, (owners, record) -> owners.isSummaryVisible(record.about()));
    addRule(
        rules,
        ToolExchange.TABLE,
        (owners, record) -> owners.isContentVisible(record.trajectory()));
    addRule(
        rules, Checkpoint.TABLE, (owners, record) -> owners.isContentVisible(record.trajectory()));
    addRule(
        rules,
        CheckpointLedger.TABLE,
        (owners, record) -> owners.isContentVisible(record.trajectory()));
    addRule(
        rules,
        MemoryInjection.TABLE,
        (owners, record) -> owners.isContentVisible(record.trajectory()));
    addRule(rules, Window.TABLE, RecordVisibilityRules::isWindowVisible);
    addRule(
        rules, PolicyRun.TABLE, (owners, record) -> owners.isContentVisible(record.trajectory()));
    addRule(rules, TraceEvent.TABLE, RecordVisibilityRules::isTraceVisible);
    addRule(rules, Handoff.TABLE, (owners, record) -> owners.isContentVisible(record.trajectory()));
    addRule(
        rules, Conflict.TABLE, (owners, record) -> owners.isContentVisible(record.trajectory()));
    addRule(
        rules,
        Delegation.TABLE,
        (owners, record) -> owners.isContentVisible(record.childTrajectory()));
    return Map.copyOf(rules);
  }

  /** Returns whether the table has a rule. */
  static boolean isTableKnown(Table<?> table) {
    return WITHOUT_SUBJECT.contains(table.name()) || RULES.containsKey(table.name());
  }

  /** Returns whether the reader sees this record of the table. */
  <T> boolean canSee(Table<T> table, T record) {
    if (scope.all() || WITHOUT_SUBJECT.contains(table.name())) {
      return true;
    }
    @SuppressWarnings("unchecked") // a rule is registered with a table of the same record type
    VisibilityRule<T> visibilityRule = (VisibilityRule<T>) RULES.get(table.name());
    return visibilityRule != null && visibilityRule.canSee(this, record);
  }

  /** Returns whether every reader sees the record, because it has no subject. */
  static boolean isShared(Object record) {
    return switch (record) {
      case Note note -> note.labels().subject().isEmpty();
      case Artifact artifact -> artifact.labels().subject().isEmpty();
      case Turn turn -> turn.labels().subject().isEmpty();
      case Trajectory trajectory -> trajectory.labels().subject().isEmpty();
      case Scope scope -> scope.subject().isEmpty();
      default -> false;
    };
  }

  /** Refuses a change that gives a shared record to one subject. */
  static <T> void requireStaysShared(Table<T> table, T old, T changed) {
    boolean holds = old instanceof Note || old instanceof Artifact || old instanceof Turn;
    if (holds && isShared(old) && !isShared(changed)) {
      throw ServerException.sharedRecord(table.name(), table.keyOf(old));
    }
  }

  /** Returns whether the reader sees the turn; in a group, only its own subject does. */
  private boolean isTurnVisible(Turn turn) {
    return subjects.isVisible(scope, turn);
  }

  /** Returns whether the reader sees the trajectory; a group's outcome quotes several subjects. */
  private boolean isTrajectoryVisible(Trajectory trajectory) {
    return switch (ownerOf(trajectory)) {
      case READER -> true;
      case GROUP -> trajectory.summary().isEmpty() && trajectory.outcome().isEmpty();
      case ANOTHER -> false;
    };
  }

  /** Returns whether the reader sees the scope; a group's summary quotes several subjects. */
  private boolean isScopeVisible(Scope found) {
    return switch (ownerOf(found.trajectory())) {
      case READER -> true;
      case GROUP -> found.summary().isEmpty();
      case ANOTHER -> false;
    };
  }

  /**
   * The owner of a trajectory's records: the reader or all readers, a group, or another subject.
   */
  private enum TrajectoryOwner {
    READER,
    GROUP,
    ANOTHER
  }

  private TrajectoryOwner ownerOf(Trajectory trajectory) {
    if (!scope.includes(trajectory.labels())) {
      return TrajectoryOwner.ANOTHER;
    }
    return trajectory.isGroup() ? TrajectoryOwner.GROUP : TrajectoryOwner.READER;
  }

  /** Returns the owner; a deleted trajectory, whose owner is unknown, is another subject's. */
  private TrajectoryOwner ownerOf(Id id) {
    TrajectoryOwner known = trajectories.get(id);
    if (known == null) {
      known =
          snapshot.find(Trajectory.TABLE, id).map(this::ownerOf).orElse(TrajectoryOwner.ANOTHER);
      trajectories.put(id, known);
    }
    return known;
  }

  /** Returns whether the reader sees the window, which may quote several subjects. */
  private boolean isWindowVisible(Window window) {
    return isContentVisible(window.trajectory())
        && window
            .inputs()
            .subjects()
            .map(named -> !named.all() && scope.subjects().containsAll(named.subjects()))
            .orElse(true);
  }

  /** Returns whether the reader sees the artifact; a promoted one is shared. */
  private boolean isArtifactVisible(Artifact artifact) {
    return subjects.isVisible(scope, artifact);
  }

  /** Returns whether the reader sees the past version; a promotion leaves its subject unchanged. */
  private boolean isPastNoteVisible(PastNote past) {
    return scope.includes(past.note().labels());
  }

  private boolean isContentVisible(Optional<Id> id) {
    return id.isPresent() && isContentVisible(id.get());
  }

  /**
   * Returns whether the reader sees derived content; that of a group may quote several subjects.
   */
  private boolean isContentVisible(Id id) {
    return ownerOf(id) == TrajectoryOwner.READER;
  }

  private boolean isSummaryVisible(Id about) {
    return snapshot
        .find(Scope.TABLE, about)
        .map(found -> isContentVisible(found.trajectory()))
        .orElseGet(() -> isContentVisible(about));
  }

  private boolean isTraceVisible(TraceEvent event) {
    return event.trajectory().map(this::isContentVisible).orElse(true)
        && isReferenceVisible(event.record());
  }

  /**
   * Returns whether the reader sees the referenced record; a deleted one may have had any subject.
   */
  private boolean isReferenceVisible(EntityRef reference) {
    return switch (reference.type()) {
      case NOTE -> isRecordVisible(Note.TABLE, reference);
      case TURN -> isRecordVisible(Turn.TABLE, reference);
      case ARTIFACT -> isRecordVisible(Artifact.TABLE, reference);
      case TRAJECTORY -> isRecordVisible(Trajectory.TABLE, reference);
      case SCOPE -> isRecordVisible(Scope.TABLE, reference);
      default -> false;
    };
  }

  private <T> boolean isRecordVisible(Table<T> table, EntityRef reference) {
    return snapshot.find(table, reference.id()).filter(one -> canSee(table, one)).isPresent();
  }
}
