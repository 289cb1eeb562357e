package dev.caliber.memory.record;

import dev.caliber.kernel.CaliberException;
import dev.caliber.kernel.Id;
import java.util.List;
import java.util.Map;

/** Refusal of memory, with its code and, if there is one, advice. */
public final class MemoryException extends CaliberException {

  private static final long serialVersionUID = 1L;
  private static final String FIELD = "field";
  private static final String ENTITY_TYPE = "entity_type";

  private final transient Map<String, String> fields;

  private MemoryException(MemoryErrorCode code, String message) {
    this(code, message, Map.of());
  }

  private MemoryException(MemoryErrorCode code, String message, Map<String, String> fields) {
    super(code, message);
    this.fields = fields;
  }

  private MemoryException(MemoryErrorCode code, String message, RuntimeException cause) {
    super(code, message, cause);
    this.fields = Map.of();
  }

  @Override
  public Map<String, String> fields() {
    return fields;
  }

  /** Returns the error for a stored ledger that cannot be read. */
  public static MemoryException damagedLedger(Id checkpoint, RuntimeException cause) {
    return new MemoryException(
        MemoryErrorCode.DAMAGED_LEDGER,
        "The ledger of checkpoint '%s' (the list of what its context window contained) is damaged and cannot be read"
            .formatted(checkpoint),
        cause);
  }

  public static MemoryException unknown(EntityType type, Object id) {
    return new MemoryException(
        MemoryErrorCode.UNKNOWN_RECORD,
        "There is no %s '%s' in this space".formatted(type.lowerCaseName(), id),
        Map.of(ENTITY_TYPE, type.lowerCaseName(), "id", id.toString()));
  }

  /** Returns the error for an unknown record of any type. */
  public static MemoryException unknown(Id id) {
    return new MemoryException(
        MemoryErrorCode.UNKNOWN_RECORD,
        "There is no record '%s' in this space".formatted(id),
        Map.of("id", id.toString()));
  }

  public static MemoryException forgotten(Tombstone left) {
    return new MemoryException(
        MemoryErrorCode.UNKNOWN_RECORD,
        "The %s '%s' no longer exists: it was forgotten at %s"
            .formatted(left.type().lowerCaseName(), left.id(), left.forgottenAt()),
        Map.of(ENTITY_TYPE, left.type().lowerCaseName(), "id", left.id().toString()));
  }

  public static MemoryException unknownPolicy(String name) {
    return new MemoryException(
        MemoryErrorCode.UNKNOWN_RECORD,
        "No deployed configuration of this space has a policy '%s'".formatted(name));
  }

  public static MemoryException invalid(String field, String expected, String found) {
    return new MemoryException(
        MemoryErrorCode.CONSTRAINT_VIOLATION,
        "%s: expected %s, found %s".formatted(field, expected, found),
        Map.of(FIELD, field));
  }

  /** Returns the error for a policy that needs a trajectory and was given none. */
  public static MemoryException trajectoryRequired(String policy) {
    return new MemoryException(
        MemoryErrorCode.TRAJECTORY_REQUIRED,
        "trajectory: policy '%s' runs on a trajectory, but the request names none"
            .formatted(policy),
        Map.of(FIELD, "trajectory"));
  }

  public static MemoryException empty(String field) {
    return new MemoryException(
        MemoryErrorCode.EMPTY_CONTENT,
        field + ": the value must not be empty",
        Map.of(FIELD, field));
  }

  static MemoryException unstorableText(String field, int position) {
    return new MemoryException(
        MemoryErrorCode.NOT_TEXT,
        "%s: the text cannot be stored: the character at position %d is a zero character or an unpaired surrogate"
            .formatted(field, position),
        Map.of(FIELD, field));
  }

  static MemoryException confidenceOutOfRange(double found) {
    return new MemoryException(
        MemoryErrorCode.CONFIDENCE_OUT_OF_RANGE,
        "confidence: expected a number from 0 to 1, found " + found);
  }

  public static MemoryException circular(EntityType type, List<Id> ids) {
    return new MemoryException(
        MemoryErrorCode.CIRCULAR_REFERENCE,
        "A %s cannot be its own predecessor; these ids form a cycle: %s"
            .formatted(type.lowerCaseName(), ids),
        Map.of(ENTITY_TYPE, type.lowerCaseName(), "ids", ids.toString()));
  }

  public static MemoryException scopeClosed(Id scope) {
    return new MemoryException(
        MemoryErrorCode.SCOPE_CLOSED,
        "Scope '%s' cannot be changed, because it is closed".formatted(scope));
  }

  public static MemoryException trajectoryEnded(Trajectory trajectory) {
    return new MemoryException(
        MemoryErrorCode.TRAJECTORY_ENDED,
        "Trajectory '%s' cannot be changed, because it has ended: its status is %s"
            .formatted(trajectory.id(), trajectory.status()));
  }

  /** Returns the error for a session of another subject; the message does not name that subject. */
  public static MemoryException subjectMismatch(Trajectory trajectory, String subject) {
    String name = trajectory.labels().externalId().orElseGet(() -> trajectory.id().toString());
    return new MemoryException(
        MemoryErrorCode.SUBJECT_MISMATCH,
        "Session '%s' belongs to another subject than '%s'".formatted(name, subject),
        Map.of("trajectory", trajectory.id().toString(), "subject", subject));
  }

  public static MemoryException resultWithoutCall(String call) {
    return new MemoryException(
        MemoryErrorCode.UNPAIRED_TOOL_RESULT,
        "The tool result for call '%s' cannot be appended: the trajectory has no open tool call with this id"
            .formatted(call));
  }

  public static MemoryException repeatedCall(String call) {
    return new MemoryException(
        MemoryErrorCode.REPEATED_TOOL_CALL,
        "The tool call '%s' cannot be appended: its id is already used in this trajectory"
            .formatted(call));
  }

  public static MemoryException notLive(EntityType type, Id id) {
    return new MemoryException(
        MemoryErrorCode.RECORD_NOT_LIVE,
        "The %s '%s' cannot be changed: it is superseded or expired"
            .formatted(type.lowerCaseName(), id));
  }

  public static MemoryException leaseLost(String work) {
    return new MemoryException(
        MemoryErrorCode.JOB_LEASE_LOST,
        "Lost the lease of job '%s': another process took it over, or this process is shutting down"
            .formatted(work));
  }

  /** Returns the error for a consolidation that does not fit into a larger commit. */
  public static MemoryException tooMuchForOneCommit(Id trajectory, int most) {
    return new MemoryException(
        MemoryErrorCode.COMMIT_TOO_LARGE,
        "Consolidation as a step of a larger commit is limited to %d artifacts, but trajectory '%s' has more"
            .formatted(most, trajectory),
        Map.of("trajectory", trajectory.toString()));
  }

  /** Returns the error for a rollback of more records than one commit can hold. */
  public static MemoryException rollBackTooLarge(Id checkpoint, int most) {
    return new MemoryException(
        MemoryErrorCode.RECOVERY_TOO_LARGE,
        "The rollback to checkpoint '%2$s' is too large for one commit: it would change more than %1$d records of one kind (memory.limits.list)"
            .formatted(most, checkpoint));
  }

  /**
   * Returns the error for a rollback whose commit the store has refused as too large or too long.
   */
  public static MemoryException rollBackTooLarge(Id trajectory, CaliberException refusal) {
    return new MemoryException(
        MemoryErrorCode.RECOVERY_TOO_LARGE,
        "The rollback of trajectory '%s' is too large for one commit: %s"
            .formatted(trajectory, refusal.getMessage()),
        refusal);
  }

  public static MemoryException noCheckpoint(Id trajectory) {
    return new MemoryException(
        MemoryErrorCode.NO_CHECKPOINT_AVAILABLE,
        "Trajectory '%s' cannot return to a checkpoint, because it has none".formatted(trajectory),
        Map.of("trajectory", trajectory.toString()));
  }
}
