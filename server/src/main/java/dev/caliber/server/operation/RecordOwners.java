package dev.caliber.server.operation;

import dev.caliber.agents.Conflict;
import dev.caliber.agents.Delegation;
import dev.caliber.agents.Handoff;
import dev.caliber.kernel.Id;
import dev.caliber.memory.RecordSubjects;
import dev.caliber.memory.context.Window;
import dev.caliber.memory.pcp.CheckpointLedger;
import dev.caliber.memory.record.Artifact;
import dev.caliber.memory.record.Checkpoint;
import dev.caliber.memory.record.EntityRef;
import dev.caliber.memory.record.Injection;
import dev.caliber.memory.record.Note;
import dev.caliber.memory.record.PastNote;
import dev.caliber.memory.record.PastSummary;
import dev.caliber.memory.record.PolicyRun;
import dev.caliber.memory.record.Scope;
import dev.caliber.memory.record.SubjectScope;
import dev.caliber.memory.record.ToolExchange;
import dev.caliber.memory.record.TraceEvent;
import dev.caliber.memory.record.Trajectory;
import dev.caliber.memory.record.Turn;
import dev.caliber.store.Snapshot;
import dev.caliber.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which records of one snapshot a reader with a subject scope sees. A record has the
 * subject of its labels; a record without labels has the subject of its trajectory. A table that
 * this class does not know is hidden.
 */
final class RecordOwners {
  /** Tables that hold nothing of a subject: settings, agents, work for later, and bare ids. */
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

  private static final Map<String, Rule<?>> RULES = rules();

  private final Snapshot snapshot;
  private final SubjectScope scope;
  private final RecordSubjects subjects;
  private final Map<Id, Owner> trajectories = new HashMap<>();

  RecordOwners(Snapshot snapshot, SubjectScope scope) {
    this.snapshot = snapshot;
    this.scope = scope;
    this.subjects = new RecordSubjects(snapshot);
  }

  /** Whether a record is visible; the records that it belongs to are read for that. */
  private interface Rule<T> {
    boolean sees(RecordOwners owners, T record);
  }

  private static <T> void rule(Map<String, Rule<?>> rules, Table<T> table, Rule<T> rule) {
    rules.put(table.name(), rule);
  }

  private static Map<String, Rule<?>> rules() {
    Map<String, Rule<?>> rules = new HashMap<>();
    rule(rules, Trajectory.TABLE, (owners, record) -> owners.trajectory(record));
    rule(rules, Turn.TABLE, RecordOwners::turn);
    rule(rules, Artifact.TABLE, (owners, record) -> owners.artifact(record));
    rule(rules, Note.TABLE, (owners, record) -> owners.subjects.sees(owners.scope, record));
    rule(rules, PastNote.TABLE, RecordOwners::pastNote);
    rule(rules, Scope.TABLE, RecordOwners::scope);
    rule(rules, PastSummary.TABLE, (owners, record) -> owners.summarized(record.about()));
    rule(rules, ToolExchange.TABLE, (owners, record) -> owners.trajectory(record.trajectory()));
    rule(rules, Checkpoint.TABLE, (owners, record) -> owners.trajectory(record.trajectory()));
    rule(rules, CheckpointLedger.TABLE, (owners, record) -> owners.trajectory(record.trajectory()));
    rule(rules, Injection.TABLE, (owners, record) -> owners.trajectory(record.trajectory()));
    rule(rules, Window.TABLE, RecordOwners::window);
    rule(rules, PolicyRun.TABLE, (owners, record) -> owners.trajectory(record.trajectory()));
    rule(rules, TraceEvent.TABLE, RecordOwners::trace);
    rule(rules, Handoff.TABLE, (owners, record) -> owners.trajectory(record.trajectory()));
    rule(rules, Conflict.TABLE, (owners, record) -> owners.trajectory(record.trajectory()));
    rule(rules, Delegation.TABLE, (owners, record) -> owners.trajectory(record.childTrajectory()));
    return Map.copyOf(rules);
  }

  /** Whether this class says which records of the table a reader sees. */
  static boolean knows(Table<?> table) {
    return WITHOUT_SUBJECT.contains(table.name()) || RULES.containsKey(table.name());
  }

  /** Whether the reader sees this record of the table. */
  <T> boolean sees(Table<T> table, T record) {
    if (scope.all() || WITHOUT_SUBJECT.contains(table.name())) {
      return true;
    }
    @SuppressWarnings("unchecked") // put beside a table of the same record
    Rule<T> rule = (Rule<T>) RULES.get(table.name());
    return rule != null && rule.sees(this, record);
  }

  /** Whether every reader sees the record, because it has no subject. */
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
  static <T> void requireNotTaken(Table<T> table, T old, T changed) {
    boolean holds = old instanceof Note || old instanceof Artifact || old instanceof Turn;
    if (holds && isShared(old) && !isShared(changed)) {
      throw ServerException.sharedRecord(table.name(), table.keyOf(old));
    }
  }

  /** In a group a turn is seen by its own subject alone; one without a subject by every reader. */
  private boolean turn(Turn turn) {
    return subjects.sees(scope, turn);
  }

  /** A group belongs to no subject, but how it ended and its summary quote several. */
  private boolean trajectory(Trajectory trajectory) {
    return switch (owner(trajectory)) {
      case READER -> true;
      case GROUP -> trajectory.summary().isEmpty() && trajectory.outcome().isEmpty();
      case ANOTHER -> false;
    };
  }

  /** A summary of a group quotes several subjects. */
  private boolean scope(Scope found) {
    return switch (owner(found.trajectory())) {
      case READER -> true;
      case GROUP -> found.summary().isEmpty();
      case ANOTHER -> false;
    };
  }

  /** Whose the records of a trajectory are: the reader's or shared, of a group, or another's. */
  private enum Owner {
    READER,
    GROUP,
    ANOTHER
  }

  private Owner owner(Trajectory trajectory) {
    if (!scope.sees(trajectory.labels())) {
      return Owner.ANOTHER;
    }
    return trajectory.isGroup() ? Owner.GROUP : Owner.READER;
  }

  /** A trajectory that is gone has left nothing that says whose records these are. */
  private Owner owner(Id id) {
    Owner known = trajectories.get(id);
    if (known == null) {
      known = snapshot.find(Trajectory.TABLE, id).map(this::owner).orElse(Owner.ANOTHER);
      trajectories.put(id, known);
    }
    return known;
  }

  /** A window may have been made with the records of more subjects than its trajectory's. */
  private boolean window(Window window) {
    return trajectory(window.trajectory())
        && window
            .inputs()
            .subjects()
            .map(named -> !named.all() && scope.subjects().containsAll(named.subjects()))
            .orElse(true);
  }

  /** An artifact may have been promoted out of a trajectory with a subject. */
  private boolean artifact(Artifact artifact) {
    return subjects.sees(scope, artifact);
  }

  /** A version from before the note was promoted stays with its subject. */
  private boolean pastNote(PastNote past) {
    return scope.sees(past.note().labels());
  }

  private boolean trajectory(Optional<Id> id) {
    return id.isPresent() && trajectory(id.get());
  }

  /** What quotes the records of a group may quote several subjects. */
  private boolean trajectory(Id id) {
    return owner(id) == Owner.READER;
  }

  private boolean summarized(Id about) {
    return snapshot
        .find(Scope.TABLE, about)
        .map(found -> trajectory(found.trajectory()))
        .orElseGet(() -> trajectory(about));
  }

  private boolean trace(TraceEvent event) {
    return event.trajectory().map(this::trajectory).orElse(true) && named(event.record());
  }

  /** Whether the reader sees the record that is named; one that is gone may have been anybody's. */
  private boolean named(EntityRef reference) {
    return switch (reference.type()) {
      case NOTE -> found(Note.TABLE, reference);
      case TURN -> found(Turn.TABLE, reference);
      case ARTIFACT -> found(Artifact.TABLE, reference);
      case TRAJECTORY -> found(Trajectory.TABLE, reference);
      case SCOPE -> found(Scope.TABLE, reference);
      default -> false;
    };
  }

  private <T> boolean found(Table<T> table, EntityRef reference) {
    return snapshot.find(table, reference.id()).filter(one -> sees(table, one)).isPresent();
  }
}
